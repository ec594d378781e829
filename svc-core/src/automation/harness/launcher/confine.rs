//! Confinement by the kernel: Landlock for files, signals and tracing, a filter of system calls, and no capabilities.
//!
//! A confined run reads and executes what the system has installed, and does everything in its own directories. It
//! reaches no other file, and traces and signals no process outside. It opens no Unix socket, because Landlock before
//! its ninth version does not check connections to sockets in the file system, among which is the admin socket of the
//! hub. A run of root has no capabilities, because with them it could read the memory of other processes in spite of
//! Landlock. What Landlock does not know: the permissions, owners and times of files that a run cannot open.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, BitFlags, CompatLevel, Compatible, LandlockStatus, RestrictionStatus, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetError, RulesetStatus, Scope, path_beneath_rules,
};
use rustix::thread::{CapabilitySet, capability_is_in_bounding_set, remove_capability_from_bounding_set};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
};

use super::spec::Confinement;

/// The newest version of Landlock that is known here.
const NEWEST: ABI = ABI::V9;
/// The version without which a run could destroy files that it cannot open.
const NEEDED: ABI = ABI::V3;

/// Directories of installed programs and libraries.
const SYSTEM: [&str; 16] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/opt",
    "/snap",
    "/nix/store",
    "/gnu/store",
    "/run/current-system",
    "/proc",
    "/sys/devices/system/cpu",
    "/sys/kernel/mm/transparent_hugepage",
    "/sys/fs/cgroup/cgroup.controllers",
];

/// Configuration of the system that programs read. Passwords and keys are not among it.
const CONFIGURATION: [&str; 32] = [
    "/etc/alternatives",
    "/etc/bash.bashrc",
    "/etc/ca-certificates",
    "/etc/ca-certificates.conf",
    "/etc/crypto-policies",
    "/etc/debian_version",
    "/etc/environment",
    "/etc/fonts",
    "/etc/gai.conf",
    "/etc/gitconfig",
    "/etc/group",
    "/etc/host.conf",
    "/etc/hostname",
    "/etc/hosts",
    "/etc/inputrc",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/localtime",
    "/etc/locale.alias",
    "/etc/magic",
    "/etc/mime.types",
    "/etc/nsswitch.conf",
    "/etc/os-release",
    "/etc/passwd",
    "/etc/pki",
    "/etc/profile",
    "/etc/protocols",
    "/etc/resolv.conf",
    "/etc/services",
    "/etc/ssl",
    "/etc/timezone",
];

const DEVICES: [&str; 5] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// Restricts the current thread and all processes that it starts. Returns what is in force, in words.
pub(super) fn restrict(confinement: &Confinement) -> Result<Option<String>, String> {
    let files = match files(confinement) {
        Ok(status) => status,
        Err(error) if confinement.is_required => return Err(format!("Landlock: {error}")),
        Err(_) => None,
    };
    if files.is_none() && confinement.is_required {
        return Err("the kernel has no Landlock, or it is turned off".into());
    }
    if give_up_capabilities().is_err() && confinement.is_required {
        return Err("the capabilities of root cannot be given up".into());
    }
    let calls = match filter().and_then(|filter| seccompiler::apply_filter(&filter).map_err(|error| error.to_string()))
    {
        Ok(()) => Some("seccomp".to_owned()),
        Err(error) if confinement.is_required => return Err(format!("seccomp: {error}")),
        Err(_) => None,
    };
    let parts: Vec<String> = [files, calls].into_iter().flatten().collect();
    Ok(Some(parts.join(", ")).filter(|words| !words.is_empty()))
}

/// Takes all capabilities away from the programs that this thread starts; they matter to root alone.
fn give_up_capabilities() -> rustix::io::Result<()> {
    if !rustix::process::geteuid().is_root() {
        return Ok(());
    }
    for (_, capability) in CapabilitySet::all().iter_names() {
        // An older kernel does not know the newest ones.
        if capability_is_in_bounding_set(capability).unwrap_or(false) {
            remove_capability_from_bounding_set(capability)?;
        }
    }
    Ok(())
}

fn files(confinement: &Confinement) -> Result<Option<String>, RulesetError> {
    let hidden: Vec<PathBuf> = confinement.hidden.iter().map(|path| canonical(path)).collect();
    let system = SYSTEM.iter().chain(&CONFIGURATION).map(Path::new);
    let readable: BTreeSet<PathBuf> = system
        .chain(confinement.readable.iter().map(PathBuf::as_path))
        .flat_map(|path| visible(&canonical(path), &hidden))
        .collect();
    let read: BitFlags<AccessFs> = AccessFs::Execute | AccessFs::ReadFile | AccessFs::ReadDir;
    let device: BitFlags<AccessFs> = AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::Truncate | AccessFs::IoctlDev;
    let needed = if confinement.is_required { CompatLevel::HardRequirement } else { CompatLevel::BestEffort };
    let status = Ruleset::default()
        .set_compatibility(needed)
        .handle_access(AccessFs::from_all(NEEDED))?
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(NEWEST))?
        .scope(Scope::from_all(NEWEST))?
        .create()?
        .add_rules(path_beneath_rules(&readable, read))?
        .add_rules(path_beneath_rules(DEVICES, device))?
        .add_rules(path_beneath_rules(&confinement.writable, AccessFs::from_all(NEWEST)))?
        .restrict_self()?;
    Ok(in_words(&status))
}

fn in_words(status: &RestrictionStatus) -> Option<String> {
    match (&status.ruleset, &status.landlock) {
        (RulesetStatus::NotEnforced, _) => None,
        (_, LandlockStatus::Available { effective_abi, kernel_abi }) => {
            let version = kernel_abi.unwrap_or(*effective_abi as i32);
            Some(format!("Landlock {version}"))
        }
        _ => Some("Landlock".into()),
    }
}

/// A path without links, or as it is.
fn canonical(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// The paths that together are a directory without the hidden ones: Landlock has rules that allow, and none that
/// forbid.
fn visible(path: &Path, hidden: &[PathBuf]) -> Vec<PathBuf> {
    if hidden.iter().any(|hidden| path.starts_with(hidden)) {
        return Vec::new();
    }
    if !hidden.iter().any(|hidden| hidden.starts_with(path)) {
        return vec![path.to_owned()];
    }
    let Ok(entries) = std::fs::read_dir(path) else { return Vec::new() };
    let inside = entries.filter_map(Result::ok).filter(|entry| entry.file_type().is_ok_and(|kind| !kind.is_symlink()));
    inside.flat_map(|entry| visible(&entry.path(), hidden)).collect()
}

/// Refuses new Unix sockets, and `io_uring`, which could make them unseen. Pairs of sockets are allowed.
fn filter() -> Result<BpfProgram, String> {
    let unix = u64::try_from(libc::AF_UNIX).map_err(|error| error.to_string())?;
    let is_unix = SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, unix)
        .and_then(|condition| SeccompRule::new(vec![condition]))
        .map_err(|error| error.to_string())?;
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = BTreeMap::new();
    for base in call_bases() {
        rules.insert(base | libc::SYS_socket, vec![is_unix.clone()]);
        rules.insert(base | libc::SYS_io_uring_setup, Vec::new());
    }
    let errno = u32::try_from(libc::EACCES).map_err(|error| error.to_string())?;
    let architecture = std::env::consts::ARCH.try_into().map_err(|_| "it is not known on this processor".to_owned())?;
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, SeccompAction::Errno(errno), architecture);
    filter.and_then(TryInto::try_into).map_err(|error| error.to_string())
}

/// The numbers that calls are counted from. On x86-64 there is a second set with the same architecture, x32.
fn call_bases() -> &'static [i64] {
    if cfg!(target_arch = "x86_64") { &[0, 0x4000_0000] } else { &[0] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hidden_directory_is_left_out_of_a_visible_one() {
        let root = std::env::temp_dir().join(format!("svc-visible-{}", std::process::id()));
        for directory in ["data/runs", "data2", "lib/x"] {
            std::fs::create_dir_all(root.join(directory)).unwrap();
        }
        let hidden = [root.join("data")];
        let mut seen = visible(&root, &hidden);
        seen.sort();
        assert_eq!(seen, [root.join("data2"), root.join("lib")]);
        assert_eq!(visible(&root.join("data/runs"), &hidden), Vec::<PathBuf>::new());
        assert_eq!(visible(&root.join("lib"), &hidden), [root.join("lib")]);
        std::fs::remove_dir_all(&root).unwrap();
    }

    #[test]
    fn the_filter_can_be_built() {
        assert!(!filter().unwrap().is_empty());
    }
}
