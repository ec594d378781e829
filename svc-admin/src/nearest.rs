//! Suggestions for unknown names.

/// Minimum similarity of a suggestion, from 0 to 1.
const ALIKE: f64 = 0.8;
/// Longest name that is compared, because the cost is the product of the lengths.
const LONGEST: usize = 64;

/// Up to three candidates that are similar to this name, the most similar first.
pub(crate) fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    if name.len() > LONGEST {
        return Vec::new();
    }
    let mut alike: Vec<_> = candidates
        .into_iter()
        .map(|candidate| (likeness(&name.to_lowercase(), &candidate.to_lowercase()), candidate))
        .filter(|(likeness, _)| *likeness >= ALIKE)
        .collect();
    alike.sort_by(|one, other| other.0.total_cmp(&one.0));
    alike.into_iter().take(3).map(|(_, candidate)| candidate).collect()
}

/// One typing mistake is always tolerated; in short names it would weigh too much.
fn likeness(name: &str, candidate: &str) -> f64 {
    let slip = if strsim::osa_distance(name, candidate) <= 1 { ALIKE } else { 0.0 };
    strsim::jaro_winkler(name, candidate).max(slip)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similar_names_are_found() {
        let methods = ["status.show", "db.check"];
        assert_eq!(nearest("status.shw", methods).first(), Some(&"status.show"));
        assert_eq!(nearest("DB.chekc", methods).first(), Some(&"db.check"));
        assert_eq!(nearest("bto", ["ann", "bot"]), ["bot"]);
        assert!(nearest("zzz", methods).is_empty());
        assert!(nearest(&"status.show".repeat(100), methods).is_empty());
    }
}
