package main

import (
	"net/http"
	"sync"
)

// gate holds the requests of the controllers and the node back while the apiserver is down. Without it they would find
// their way back only after a long wait, because every failed attempt doubles it.
type gate struct {
	mu     sync.Mutex
	opened chan struct{}
}

// current is closed while the gate is open.
func (g *gate) current() chan struct{} {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.opened == nil {
		g.opened = make(chan struct{})
	}
	return g.opened
}

func (g *gate) open() { close(g.current()) }

func (g *gate) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.opened = make(chan struct{})
}

// wrap puts the gate in front of a client's transport.
func (g *gate) wrap(next http.RoundTripper) http.RoundTripper { return gatedTransport{g, next} }

type gatedTransport struct {
	gate *gate
	next http.RoundTripper
}

func (t gatedTransport) RoundTrip(request *http.Request) (*http.Response, error) {
	select {
	case <-t.gate.current():
	case <-request.Context().Done():
		return nil, request.Context().Err()
	}
	return t.next.RoundTrip(request)
}
