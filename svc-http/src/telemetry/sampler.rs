//! Which traces are recorded, by `OTEL_TRACES_SAMPLER`.

use svc_core::telemetry::TraceContext;

/// A sampler.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Sampler {
    /// Whether the decision of a parent holds.
    pub(super) by_parent: bool,
    /// The share of the other traces, 0 to 1.
    pub(super) ratio: f64,
}

impl Default for Sampler {
    fn default() -> Self {
        Self { by_parent: true, ratio: 1.0 }
    }
}

impl Sampler {
    pub(super) fn samples(&self, trace_id: u128, parent: Option<&TraceContext>) -> bool {
        match parent {
            Some(parent) if self.by_parent => parent.is_sampled(),
            _ => share(trace_id) < self.ratio,
        }
    }
}

/// The place of a trace between 0 and 1, from the end of its id, which is random. All nodes agree about it.
#[expect(clippy::cast_precision_loss, reason = "53 bits fit")]
fn share(trace_id: u128) -> f64 {
    let bits = trace_id & ((1 << 53) - 1);
    bits as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parent(flags: &str) -> TraceContext {
        TraceContext::parse(&format!("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-{flags}")).unwrap()
    }

    #[test]
    fn a_parent_decides_unless_it_is_told_not_to() {
        let none = Sampler { by_parent: true, ratio: 0.0 };
        assert!(none.samples(7, Some(&parent("01"))) && !none.samples(7, None));
        assert!(!Sampler::default().samples(7, Some(&parent("00"))) && Sampler::default().samples(7, None));
        let alone = Sampler { by_parent: false, ratio: 1.0 };
        assert!(alone.samples(7, Some(&parent("00"))));
    }

    #[test]
    fn a_ratio_takes_its_share_of_the_traces() {
        let half = Sampler { by_parent: true, ratio: 0.5 };
        // Multiples of an odd number are spread evenly.
        let taken = (0..1000_u128).filter(|n| half.samples(n * 0x9e37_79b9_7f4a_7c15, None)).count();
        assert!((450..550).contains(&taken), "{taken}");
    }
}
