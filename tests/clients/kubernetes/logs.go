package main

import (
	"bytes"
	"io"
	"strings"
	"sync"
	"time"
)

// longestLine is where a line of the log is cut in two.
const longestLine = 16 << 10

// logLine is one line of a log, with its line break if it has one.
type logLine struct {
	at   time.Time
	text []byte
}

// podLog is what the container of a pod has written.
type podLog struct {
	mu      sync.Mutex
	lines   []logLine
	closed  bool
	changed chan struct{} // closed at the next change
}

func newPodLog() *podLog { return &podLog{changed: make(chan struct{})} }

// write adds whole lines.
func (l *podLog) write(text []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	for _, line := range bytes.SplitAfter(text, []byte("\n")) {
		if len(line) > 0 {
			l.lines = append(l.lines, logLine{now, bytes.Clone(line)})
		}
	}
	l.notify()
}

// close says that nothing more will be written.
func (l *podLog) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.closed {
		l.closed = true
		l.notify()
	}
}

func (l *podLog) notify() {
	close(l.changed)
	l.changed = make(chan struct{})
}

// readFrom writes all that comes from a process, line by line.
func (l *podLog) readFrom(source io.Reader) {
	var pending []byte
	buffer := make([]byte, 32<<10)
	for {
		n, err := source.Read(buffer)
		pending = append(pending, buffer[:n]...)
		if whole := bytes.LastIndexByte(pending, '\n') + 1; whole > 0 {
			l.write(pending[:whole])
			pending = pending[whole:]
		}
		if len(pending) > longestLine || err != nil && len(pending) > 0 {
			l.write(pending)
			pending = nil
		}
		if err != nil {
			return
		}
	}
}

// since gives the lines from a number on, whether the log is complete with them, and what tells of the next change.
func (l *podLog) since(number int) ([]logLine, bool, <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lines[number:], l.closed, l.changed
}

// tail gives the last lines, at most so many and at most so many bytes.
func (l *podLog) tail(lines, size int) string {
	all, _, _ := l.since(0)
	if len(all) > lines {
		all = all[len(all)-lines:]
	}
	var text bytes.Buffer
	for _, line := range all {
		text.Write(line.text)
	}
	rest := text.Bytes()
	if len(rest) > size {
		rest = rest[len(rest)-size:]
	}
	return strings.ToValidUTF8(string(rest), "\uFFFD")
}
