//! The processes of a run, as the system lists them. Where it does not, only their group is known.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Read;
use std::path::Path;

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

/// The resources that all processes of a run use together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Used {
    pub(super) processes: u32,
    /// Memory that is not part of a file, in bytes.
    pub(super) memory: u64,
}

/// All processes below one, as far as they are listed.
pub(super) fn below(root: i32) -> Vec<i32> {
    let mut found = BTreeSet::new();
    let mut waiting = vec![root];
    let mut listed = None;
    while let Some(process) = waiting.pop() {
        let children = match &listed {
            None => match children(process) {
                Some(children) => children,
                // This kernel does not list children, so all processes are asked for their parents.
                None => listed.insert(by_parent()).get(&process).cloned().unwrap_or_default(),
            },
            Some(listed) => listed.get(&process).cloned().unwrap_or_default(),
        };
        waiting.extend(children.into_iter().filter(|child| found.insert(*child)));
    }
    found.into_iter().collect()
}

/// The children of a process; `None` where the kernel does not list them.
fn children(process: i32) -> Option<Vec<i32>> {
    let Ok(threads) = std::fs::read_dir(format!("/proc/{process}/task")) else { return Some(Vec::new()) };
    let mut found = Vec::new();
    for thread in threads.filter_map(Result::ok) {
        let Some(children) = read_at(&thread.path().join("children")) else {
            // Either the thread has ended meanwhile, or there is no such file at all.
            if thread.path().join("stat").exists() {
                return None;
            }
            continue;
        };
        found.extend(children.split_ascii_whitespace().filter_map(|child| child.parse::<i32>().ok()));
    }
    Some(found)
}

/// All processes by their parents.
fn by_parent() -> BTreeMap<i32, Vec<i32>> {
    let mut children: BTreeMap<i32, Vec<i32>> = BTreeMap::new();
    for process in all() {
        if let Some(parent) = parent(process) {
            children.entry(parent).or_default().push(process);
        }
    }
    children
}

/// The number of these processes that are alive, and their memory.
pub(super) fn used(processes: &[i32]) -> Used {
    let mut used = Used::default();
    for process in processes {
        // One that has ended and waits to be noticed has no memory.
        let Some(status) = read(&format!("/proc/{process}/status")) else { continue };
        used.processes += 1;
        for field in ["RssAnon:", "RssShmem:", "VmSwap:"] {
            used.memory += number(&status, field) * 1024;
        }
    }
    used
}

/// The number of threads of a user, which the kernel limits together.
#[cfg(target_os = "linux")]
pub(super) fn threads_of_user(user: u32) -> u64 {
    let mut threads = 0;
    for process in all() {
        let Some(status) = read(&format!("/proc/{process}/status")) else { continue };
        let owner = status.lines().find_map(|line| line.strip_prefix("Uid:"));
        let owner = owner.and_then(|ids| ids.split_ascii_whitespace().next()).and_then(|id| id.parse::<u32>().ok());
        if owner == Some(user) {
            threads += number(&status, "Threads:");
        }
    }
    threads
}

/// All processes in whose environment these entries, `NAME=value`, were when they began.
pub(in super::super) fn with_variables(entries: &[String]) -> Vec<i32> {
    let has = |process: &i32| {
        let Ok(file) = File::open(format!("/proc/{process}/environ")) else { return false };
        let mut bytes = Vec::new();
        file.take(ENVIRONMENT_MAX).read_to_end(&mut bytes).is_ok()
            && entries.iter().all(|entry| bytes.split(|byte| *byte == 0).any(|found| found == entry.as_bytes()))
    };
    let own = i32::try_from(std::process::id()).unwrap_or_default();
    all().into_iter().filter(|process| *process != own).filter(has).collect()
}

/// More than a run is given.
const ENVIRONMENT_MAX: u64 = 32 * 1024 * 1024;

/// Sends a signal to processes. One that has ended is left out.
pub(in super::super) fn signal(processes: &[i32], signal: Signal) {
    for process in processes.iter().filter_map(|process| Pid::from_raw(*process)) {
        kill_process(process, signal).ok();
    }
}

/// Sends a signal to a group.
pub(super) fn signal_group(leader: i32, signal: Signal) {
    if let Some(leader) = Pid::from_raw(leader) {
        kill_process_group(leader, signal).ok();
    }
}

/// All processes; none where the system does not list them.
fn all() -> Vec<i32> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok()).collect()
}

fn parent(process: i32) -> Option<i32> {
    let stat = read(&format!("/proc/{process}/stat"))?;
    // The name of the command is in parentheses and may contain anything, also parentheses.
    let (_, after) = stat.rsplit_once(')')?;
    after.split_ascii_whitespace().nth(1)?.parse().ok()
}

/// The text of a small file of the system.
fn read(path: &str) -> Option<String> {
    read_at(Path::new(path))
}

fn read_at(path: &Path) -> Option<String> {
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(64 * 1024).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

fn number(status: &str, field: &str) -> u64 {
    let line = status.lines().find_map(|line| line.strip_prefix(field));
    line.and_then(|rest| rest.split_ascii_whitespace().next()).and_then(|number| number.parse().ok()).unwrap_or(0)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    use super::*;

    #[tokio::test]
    async fn processes_are_found_below_their_parent_and_by_their_variables() {
        let mark = format!("SVC_TEST_PROCESSES={}", std::process::id());
        let (name, value) = mark.split_once('=').unwrap();
        // The shell starts a shell in a session of its own, which starts another process.
        let mut child = Command::new("sh")
            .args(["-c", "setsid sh -c 'sleep 1000 & wait' & wait"])
            .env(name, value)
            .stdin(Stdio::null())
            .spawn()
            .unwrap();
        let process = i32::try_from(child.id()).unwrap();
        let begun = Instant::now();
        while below(process).len() < 2 {
            assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", below(process));
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let found = below(process);
        assert_eq!(used(&found).processes, 2);
        assert!(used(&found).memory > 0);
        let marked = with_variables(std::slice::from_ref(&mark));
        assert!(found.iter().all(|process| marked.contains(process)) && marked.contains(&process), "{marked:?}");
        assert_eq!(with_variables(&[mark, "SVC_TEST_PROCESSES=none".into()]), Vec::<i32>::new());
        signal(&marked, Signal::KILL);
        child.wait().unwrap();
    }

    #[test]
    fn a_command_may_have_any_name() {
        assert!(parent(i32::try_from(std::process::id()).unwrap()).is_some());
        assert_eq!(number("Name:\tx\nThreads:\t12\nRssAnon:\t  34 kB\n", "RssAnon:"), 34);
        assert_eq!(number("Name:\tx\n", "VmSwap:"), 0);
    }
}
