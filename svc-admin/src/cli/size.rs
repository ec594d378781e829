//! Human-readable sizes.

/// Bytes in the largest binary unit, with one decimal.
pub(super) fn bytes(bytes: u64) -> String {
    let mut unit = "KiB";
    let mut tenths = u128::from(bytes) * 10 / 1024;
    for larger in ["MiB", "GiB", "TiB"] {
        if tenths < 10_240 {
            break;
        }
        tenths /= 1024;
        unit = larger;
    }
    if bytes < 1024 { format!("{bytes} bytes") } else { format!("{}.{} {unit}", tenths / 10, tenths % 10) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_show_their_largest_unit() {
        let shown: Vec<_> = [0, 1023, 1024, 1536, 1024 * 1024, 5 << 30].into_iter().map(bytes).collect();
        assert_eq!(shown, ["0 bytes", "1023 bytes", "1.0 KiB", "1.5 KiB", "1.0 MiB", "5.0 GiB"]);
    }
}
