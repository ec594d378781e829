package main

import (
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
)

// reaperScript reads "+ID" and "-ID" for process groups that begin and end. At the end of its input, which also comes
// when the writer is killed, it kills the groups that are left.
const reaperScript = `groups=" "
while read -r line; do
    id="${line#?}"
    case "$line" in
    +*) groups="$groups$id " ;;
    -*) groups="${groups%% "$id" *} ${groups#* "$id" }" ;;
    esac
done
for id in $groups; do kill -9 -"$id" 2>/dev/null; done`

// processes starts child processes that do not outlive this one.
type processes struct {
	requests chan startRequest
	mu       sync.Mutex
	reaper   io.WriteCloser
	groups   map[int]bool
}

type startRequest struct {
	cmd    *exec.Cmd
	answer chan error
}

func newProcesses() (*processes, error) {
	p := &processes{requests: make(chan startRequest), groups: map[int]bool{}}
	go func() {
		// The kernel sends Pdeathsig when the thread that forked ends, so one thread starts all and never ends.
		runtime.LockOSThread()
		for r := range p.requests {
			r.answer <- r.cmd.Start()
		}
	}()
	reaper := exec.Command("/bin/sh", "-c", reaperScript)
	reaper.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // no Pdeathsig: it has to live a little longer
	in, err := reaper.StdinPipe()
	if err != nil {
		return nil, err
	}
	p.reaper = in
	return p, reaper.Start()
}

// start starts a process in a process group of its own, which is killed when this process ends in whatever way.
func (p *processes) start(cmd *exec.Cmd) error {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setpgid = true
	cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL
	answer := make(chan error, 1)
	p.requests <- startRequest{cmd, answer}
	if err := <-answer; err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.groups[cmd.Process.Pid] = true
	_, err := fmt.Fprintf(p.reaper, "+%d\n", cmd.Process.Pid)
	return err
}

// ended kills what is left of a group whose first process has ended, and forgets the group.
func (p *processes) ended(group int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.groups[group] {
		_ = syscall.Kill(-group, syscall.SIGKILL)
		delete(p.groups, group)
		_, _ = fmt.Fprintf(p.reaper, "-%d\n", group)
	}
}

// killAll kills every group that is left.
func (p *processes) killAll() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for group := range p.groups {
		_ = syscall.Kill(-group, syscall.SIGKILL)
	}
}
