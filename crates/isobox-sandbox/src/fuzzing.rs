//! What the fuzz target `guest_messages` drives: the imports as a guest would that does not keep to any rule.

use isobox_core::{ByteSize, Capacity, CapacityLimits, InFlightExcess, Limits};

use crate::guest::{Guest, slice};

/// Makes the calls that the data spell, with the data as the guest's memory.
pub fn hostile_guest(data: &[u8]) {
    let capacity = Capacity::new(CapacityLimits { memory: ByteSize::mib(1), live: 1, queue: 0 });
    let Some(Ok(permit)) = futures_util::FutureExt::now_or_never(capacity.admit()) else { return };
    let limits = Limits {
        calls: 20,
        in_flight: 3,
        in_flight_excess: if data.len().is_multiple_of(2) { InFlightExcess::Fail } else { InFlightExcess::Wait },
        input: ByteSize::bytes(200),
        result: ByteSize::bytes(300),
        logs: ByteSize::bytes(500),
        ..Limits::default()
    };
    let mut guest = Guest::new(limits.clone(), permit.meter(), 0);
    let mut at = 0;
    let mut next = || {
        let bytes = data.get(at..at + 4)?;
        at += 4;
        Some(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    };
    // Small numbers point into the data more often than not, large ones test the bounds.
    let part = |start: u32, size: u32| slice(data, start >> (start & 31), size >> (size & 31));
    while let Some(operation) = next() {
        let (a, b) = (next().unwrap_or(0), next().unwrap_or(0));
        match operation % 9 {
            0 => {
                let (c, d) = (next().unwrap_or(0), next().unwrap_or(0));
                if let (Ok(path), Ok(input)) = (part(a, b), part(c, d)) {
                    let _ = guest.call(path, input);
                }
            }
            1 => {
                let _ = guest.timer(f64::from_bits(u64::from(a) << 32 | u64::from(b)));
            }
            2 => guest.clear(a % 64),
            3 => {
                if let Ok(text) = part(a, b) {
                    guest.log(operation >> 8, text);
                }
            }
            4 => guest.unawaited(a % 64),
            5 => {
                if let Ok(json) = part(a, b) {
                    guest.done(json);
                }
            }
            6 => {
                if let Ok(report) = part(a, b) {
                    guest.fail(operation >> 8, report);
                }
            }
            7 => guest.answer(a % 64),
            _ => {
                if let Ok(step) = guest.take_step(i32::from_le_bytes(a.to_le_bytes()) % 4) {
                    let logged: usize = step.logs.iter().map(|log| log.message.len()).sum();
                    assert!(logged <= limits.logs.get() as usize + 200 && step.calls.len() <= 20, "bounded");
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_guest_that_keeps_to_no_rule_does_no_harm() {
        let mut state = 1_u32;
        for length in 0..2_000 {
            let data = std::iter::repeat_with(|| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                state.to_le_bytes()[2]
            });
            super::hostile_guest(&data.take(length).collect::<Vec<u8>>());
        }
    }
}
