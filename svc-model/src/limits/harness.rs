//! Limits of harnesses: what a run is given, and what it may use and report.

use std::ops::RangeInclusive;
use std::time::Duration;

/// Default time limit of a run, in seconds.
pub const RUN_SECONDS: u32 = 600;
/// Time limits of a run that can be set, in seconds.
pub const RUN_SECONDS_RANGE: RangeInclusive<u32> = 10..=86_400;
/// Default memory of a run, in MiB.
pub const RUN_MEMORY_MB: u32 = 2048;
/// Amounts of memory of a run that can be set, in MiB.
pub const RUN_MEMORY_MB_RANGE: RangeInclusive<u32> = 64..=1_048_576;
/// Number of processes of one run at the same time.
pub const RUN_PROCESSES: u32 = 256;
/// Size of a file that a run may write, in bytes.
pub const RUN_FILE_MAX: u64 = 1024 * 1024 * 1024;
/// Number of files that a process of a run may have open.
pub const RUN_OPEN_FILES: u64 = 4096;
/// Interval at which the memory and the processes of a run are measured.
pub const RUN_MEASURED: Duration = Duration::from_millis(100);
/// Time between the request to end, SIGTERM, and the end, SIGKILL.
pub const RUN_GRACE: Duration = Duration::from_secs(5);
/// Time that the processes of a run have to disappear after SIGKILL.
pub const RUN_ENDING: Duration = Duration::from_secs(10);
/// Time for which the rest of the output is read after a run has ended.
pub const RUN_DRAIN: Duration = Duration::from_secs(2);
/// Time that the launcher has to answer that it has started the command.
pub const RUN_LAUNCH: Duration = Duration::from_secs(30);
/// Size of the home directory of an agent that is kept between its runs, in bytes. A larger one is removed.
pub const RUN_HOME_MAX: u64 = 1024 * 1024 * 1024;

/// Maximum number of arguments of a harness.
pub const HARNESS_ARGS_MAX: usize = 128;
/// Maximum number of variables of a harness.
pub const HARNESS_ENV_MAX: usize = 128;
/// Maximum number of files of a harness.
pub const HARNESS_FILES_MAX: usize = 64;
/// Maximum number of further MCP servers of a harness.
pub const HARNESS_MCP_SERVERS_MAX: usize = 16;
/// Maximum length of the path of a file, and of a name in a harness.
pub const HARNESS_NAME_MAX: usize = 255;
/// Maximum size of a command, an argument or a URL of a harness, in bytes.
pub const HARNESS_TEXT_MAX: usize = 8 * 1024;
/// Maximum size of a prompt template, in bytes.
pub const HARNESS_PROMPT_MAX: usize = 32 * 1024;
/// Largest price of a million tokens, in dollars.
pub const HARNESS_PRICE_MAX: f64 = 100_000.0;
/// Largest amount that a run can be limited to, in dollars.
pub const HARNESS_USD_MAX: f64 = 1_000_000.0;
/// Largest number of tokens that a run can be limited to, or can report.
pub const HARNESS_TOKENS_MAX: i64 = 1_000_000_000_000;

/// Size of the log of a run that is kept, in bytes.
pub const RUN_LOG_MAX: usize = 1024 * 1024;
/// Size of the excerpt of a log, in bytes: its beginning and its end.
pub const RUN_EXCERPT_MAX: usize = 16 * 1024;
/// Size of the report of a run, in bytes: `result.json`, or a line of its output.
pub const RUN_REPORT_MAX: usize = 1024 * 1024;
/// Size of the error text of a failed run, in bytes.
pub const RUN_DETAIL_MAX: usize = 4 * 1024;
/// Size of a session id that a run reports, in bytes.
pub const RUN_SESSION_MAX: usize = 255;
/// Size of the rendered prompt, in bytes. Messages are shortened to fit.
pub const RUN_PROMPT_MAX: usize = 256 * 1024;
/// Size of one message in a prompt, in bytes; the whole message is in `messages.json`.
pub const RUN_PROMPT_MESSAGE_MAX: usize = 16 * 1024;
