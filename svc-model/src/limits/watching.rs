//! Limits of what the hub watches about itself: its disk, and the certificates of its endpoints.

use std::time::Duration;

/// Time between two samples of the space. A sample belongs to the beginning of its hour.
pub const DISK_SAMPLE_EVERY: Duration = Duration::from_hours(1);
/// Retention time of samples.
pub const DISK_SAMPLES_KEPT: Duration = Duration::from_hours(30 * 24);
/// Samples of this time make the forecast.
pub const DISK_FORECAST_WINDOW: Duration = Duration::from_hours(7 * 24);
/// Pairs of samples with a day between them that a forecast needs at least.
pub const DISK_FORECAST_PAIRS: usize = 3;
/// A disk that lasts longer than this is not forecast to be full.
pub const DISK_FORECAST_MAX: Duration = Duration::from_hours(3_650 * 24);
/// Somebody is told when the disk will be full within this time.
pub const DISK_FULL_WARNING: Duration = Duration::from_hours(14 * 24);
/// It is a problem when the disk will be full within this time.
pub const DISK_FULL_PROBLEM: Duration = Duration::from_hours(2 * 24);
/// Time between two samples that are shown.
pub const DISK_SHOWN_EVERY: Duration = Duration::from_hours(6);

/// Time after which a certificate is looked at again.
pub const CERTIFICATE_EVERY: Duration = Duration::from_hours(24);
/// Time after which one that ends soon, or that could not be seen, is looked at again.
pub const CERTIFICATE_EVERY_SOON: Duration = Duration::from_hours(1);
/// Somebody is told this long before the end of a certificate.
pub const CERTIFICATE_WARNING: Duration = Duration::from_hours(14 * 24);
/// Time limit of a look, from the name lookup to the certificate.
pub const CERTIFICATE_TIMEOUT: Duration = Duration::from_secs(5);
/// Maximum number of endpoints whose certificates are looked at.
pub const CERTIFICATES_MAX: usize = 200;
/// Maximum number of looks in one round of the worker.
pub const CERTIFICATES_PER_ROUND: usize = 20;
/// Maximum number of looks at the same time.
pub const CERTIFICATES_AT_ONCE: usize = 10;
/// Maximum number of webhooks among which endpoints are searched, those that were enabled first.
pub const CERTIFICATE_WEBHOOKS_MAX: u32 = 5_000;

/// Time after which an examination checks the integrity of the store again.
pub const INTEGRITY_EVERY: Duration = Duration::from_hours(1);
/// Time that such a check may take; a larger store is checked by `svc-admin db check`.
pub const INTEGRITY_TIME: Duration = Duration::from_secs(2);
