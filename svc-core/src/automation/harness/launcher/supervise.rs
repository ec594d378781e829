//! The work of a launcher: it starts the command, measures its processes, and ends all of them.
//!
//! The launcher adopts every process of the run whose parent has ended, so none of them can leave it, whatever group
//! or session it makes for itself. It waits until there is none left before it tells that the run has ended.

use std::io::{self, BufRead, BufReader, Write};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use rustix::process::{Resource, Rlimit, Signal, WaitOptions, getrlimit, setrlimit, wait};

use super::spec::{Ended, LaunchSpec, Order, Report};
use super::{confine, processes};
use crate::limits;

/// An event that the launcher reacts to.
enum Event {
    /// A child has ended: its process, and its exit code or its signal.
    Gone(i32, Option<i32>, Option<i32>),
    /// There is no child any more.
    AllGone,
    Ordered(Order),
    /// The server is gone.
    Abandoned,
}

/// The phases of a run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Running,
    /// It was asked to end, and has until then.
    Asked(Instant),
    /// Its processes are killed, until then.
    Killed(Instant),
}

/// The pause between two rounds of killing, in which the next processes can end.
const KILL_PAUSE: Duration = Duration::from_millis(5);

pub(super) fn run() -> io::Result<()> {
    let socket = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    let mut input = BufReader::new(socket.try_clone()?);
    let mut line = String::new();
    input.read_line(&mut line)?;
    let spec: LaunchSpec = serde_json::from_str(&line).map_err(io::Error::other)?;
    drop(line);
    let mut server = Server(socket);
    adopt()?;
    limit(&spec)?;
    let is_trial = spec.command.is_none();
    let started = std::thread::scope(|scope| scope.spawn(|| start(&spec)).join());
    let (process, confined) = match started.unwrap_or_else(|_| Err(Report::NotStarted("the launcher panicked".into())))
    {
        Ok(started) => started,
        Err(report) => return server.tell(&report),
    };
    if is_trial {
        return server.tell(&Report::Tried(confined));
    }
    // When the server is gone, the next read says so, and the run is ended.
    server.tell(&Report::Started { process, confined }).ok();
    let (sender, events) = mpsc::channel();
    let reaper = sender.clone();
    std::thread::spawn(move || reap(&reaper));
    std::thread::spawn(move || listen(input, &sender));
    let ended = supervise(&spec, process, &events);
    // The server may be gone.
    server.tell(&Report::Ended(ended)).or(Ok(()))
}

struct Server(UnixStream);

impl Server {
    fn tell(&mut self, report: &Report) -> io::Result<()> {
        let mut line = serde_json::to_vec(report).map_err(io::Error::other)?;
        line.push(b'\n');
        self.0.write_all(&line)
    }
}

/// Makes this process the parent of all processes below it whose own parent ends.
fn adopt() -> io::Result<()> {
    #[cfg(target_os = "linux")]
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
    Ok(())
}

/// Sets the limits that the kernel holds for each process. They are inherited.
fn limit(spec: &LaunchSpec) -> io::Result<()> {
    let mut wanted: Vec<(Resource, Option<u64>)> = vec![(Resource::Core, Some(0))];
    wanted.extend(spec.file_size.map(|size| (Resource::Fsize, Some(size))));
    wanted.extend(spec.open_files.map(|files| (Resource::Nofile, Some(files))));
    wanted.extend(spec.memory.map(|memory| (Resource::Data, Some(memory))));
    #[cfg(target_os = "linux")]
    if let Some(processes) = spec.processes {
        // The kernel counts the threads of the user together. A process has several, so this is only a backstop for
        // the count of processes that is taken from time to time.
        let most = processes::threads_of_user(rustix::process::getuid().as_raw()) + u64::from(processes) * THREADS;
        wanted.push((Resource::Nproc, Some(most)));
    }
    for (resource, most) in wanted {
        let most = match (most, getrlimit(resource).maximum) {
            (Some(most), Some(maximum)) => Some(most.min(maximum)),
            (most, _) => most,
        };
        setrlimit(resource, Rlimit { current: most, maximum: most })?;
    }
    Ok(())
}

/// The threads that a process may have on average.
const THREADS: u64 = 32;

/// Confines the current thread, and starts the command from it, which inherits the confinement. Other threads of the
/// launcher stay as they are, so that they can end the run, and it cannot end them.
fn start(spec: &LaunchSpec) -> Result<(i32, Option<String>), Report> {
    let failed = |error: io::Error| Report::NotStarted(error.to_string());
    let input = match &spec.input {
        Some(file) => Stdio::from(std::fs::File::open(file).map_err(failed)?),
        None => Stdio::null(),
    };
    let confined = match &spec.confinement {
        Some(confinement) => confine::restrict(confinement).map_err(Report::NotConfined)?,
        None => None,
    };
    let Some(command) = &spec.command else { return Ok((0, confined)) };
    let mut started = Command::new(command);
    started.args(&spec.arguments).env_clear().envs(&spec.environment).current_dir(&spec.directory);
    started.stdin(input).process_group(0);
    let child = started.spawn().map_err(|error| {
        let reason = match error.kind() {
            io::ErrorKind::NotFound => "it is not there, or the program that it is written for is not".to_owned(),
            _ => error.to_string(),
        };
        Report::NotStarted(format!("{command}: {reason}"))
    })?;
    Ok((i32::try_from(child.id()).unwrap_or_default(), confined))
}

/// Waits for all children, also for those that were adopted.
fn reap(events: &Sender<Event>) {
    loop {
        match wait(WaitOptions::empty()) {
            Ok(Some((process, status))) => {
                let gone =
                    Event::Gone(process.as_raw_nonzero().get(), status.exit_status(), status.terminating_signal());
                if events.send(gone).is_err() {
                    return;
                }
            }
            Ok(None) | Err(rustix::io::Errno::INTR) => {}
            Err(_) => {
                drop(events.send(Event::AllGone));
                return;
            }
        }
    }
}

/// Reads the orders of the server.
fn listen(mut input: BufReader<UnixStream>, events: &Sender<Event>) {
    let mut line = String::new();
    loop {
        line.clear();
        let event = match input.read_line(&mut line) {
            Ok(1..) => match serde_json::from_str(&line) {
                Ok(order) => Event::Ordered(order),
                Err(_) => continue,
            },
            Ok(_) | Err(_) => Event::Abandoned,
        };
        let is_last = matches!(event, Event::Abandoned);
        if events.send(event).is_err() || is_last {
            return;
        }
    }
}

fn supervise(spec: &LaunchSpec, process: i32, events: &mpsc::Receiver<Event>) -> Ended {
    let own = i32::try_from(std::process::id()).unwrap_or_default();
    let mut ended = Ended::default();
    let mut phase = Phase::Running;
    let mut measured = Instant::now();
    loop {
        let pause = match phase {
            Phase::Killed(_) => KILL_PAUSE,
            Phase::Running | Phase::Asked(_) => limits::RUN_MEASURED,
        };
        match events.recv_timeout(pause) {
            Ok(Event::Gone(gone, code, signal)) => {
                if gone == process {
                    (ended.code, ended.signal) = (code, signal);
                    // Whatever it left behind ends now.
                    phase = killed(phase);
                }
            }
            Ok(Event::AllGone) | Err(RecvTimeoutError::Disconnected) => return ended,
            Ok(Event::Ordered(Order::End)) if phase == Phase::Running => {
                processes::signal_group(process, Signal::TERM);
                processes::signal(&processes::below(own), Signal::TERM);
                phase = Phase::Asked(Instant::now() + limits::RUN_GRACE);
            }
            Ok(Event::Abandoned) => phase = killed(phase),
            Ok(Event::Ordered(Order::End)) | Err(RecvTimeoutError::Timeout) => {}
        }
        match phase {
            // Processes that come and go quickly must not keep the launcher busy.
            Phase::Running if measured.elapsed() < limits::RUN_MEASURED => {}
            Phase::Running => {
                measured = Instant::now();
                let used = processes::used(&processes::below(own));
                ended.memory = spec.memory.is_some_and(|most| used.memory > most);
                ended.processes = spec.processes.is_some_and(|most| used.processes > most);
                if ended.memory || ended.processes {
                    phase = killed(phase);
                }
            }
            Phase::Asked(until) if Instant::now() >= until => phase = killed(phase),
            Phase::Asked(_) => {}
            Phase::Killed(until) => {
                let below = processes::below(own);
                if Instant::now() >= until {
                    ended.left = u32::try_from(below.len()).unwrap_or(u32::MAX);
                    return ended;
                }
                // While the command is not gone, its number cannot be that of another group. Elsewhere than on Linux there
                // is no other way to find what it left.
                if cfg!(not(target_os = "linux")) || (ended.code.is_none() && ended.signal.is_none()) {
                    processes::signal_group(process, Signal::KILL);
                }
                processes::signal(&below, Signal::KILL);
            }
        }
    }
}

fn killed(phase: Phase) -> Phase {
    match phase {
        Phase::Killed(_) => phase,
        Phase::Running | Phase::Asked(_) => Phase::Killed(Instant::now() + limits::RUN_ENDING),
    }
}
