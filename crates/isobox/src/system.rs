//! Asks the operating system for what `std` does not tell.

use std::time::Duration;

/// Returns the time since some moment, by a clock that also runs while the machine sleeps. That of `Instant` may stop.
pub(crate) fn boot_time() -> Duration {
    #[cfg(any(target_os = "linux", target_vendor = "apple"))]
    let time = {
        use rustix::time::{ClockId, clock_gettime};
        #[cfg(target_os = "linux")]
        let clock = ClockId::Boottime;
        // It runs on there while the machine sleeps.
        #[cfg(target_vendor = "apple")]
        let clock = ClockId::Monotonic;
        Duration::try_from(clock_gettime(clock)).unwrap_or_default()
    };
    #[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
    let time = portable::boot_time();
    time
}

/// Returns the memory that programs could use without swapping, in bytes, if the system tells.
pub(crate) fn available_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

/// The fallback for systems of which nothing else is known.
#[cfg(any(test, not(any(target_os = "linux", target_vendor = "apple"))))]
mod portable {
    use std::time::{Duration, SystemTime};

    /// Returns the wall time. It runs while the machine sleeps, but it can be set: a lease may then seem to last longer, or shorter,
    /// than it does.
    #[expect(clippy::disallowed_methods, reason = "this is where real time enters")]
    pub(super) fn boot_time() -> Duration {
        SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_clocks_run() {
        for clock in [boot_time, portable::boot_time] {
            let before = clock();
            std::thread::sleep(Duration::from_millis(2));
            assert!(clock() >= before + Duration::from_millis(1), "{before:?} is followed by {:?}", clock());
        }
    }

    #[test]
    fn available_memory_is_known_here_and_plausible() {
        let bytes = available_memory().expect("Linux tells");
        assert!((1 << 20..1 << 50).contains(&bytes), "{bytes}");
    }
}
