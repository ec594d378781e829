// kubemini is a Kubernetes control plane for tests: etcd, kube-apiserver, a few controllers and one node that runs pods
// as local processes.
package main

import (
	"fmt"
	"os"
)

const usage = `usage: kubemini up DIR

Starts a cluster whose state is kept in DIR, which is empty or does not exist yet. One line of JSON on stdout says where
it is. The cluster ends when stdin does.`

func main() {
	args := os.Args[1:]
	switch {
	case len(args) == 2 && args[0] == "up":
		if err := up(args[1]); err != nil {
			fmt.Fprintln(os.Stderr, "kubemini:", err)
			os.Exit(1)
		}
	case len(args) > 0 && args[0] == apiserverCommand:
		os.Exit(apiserverMain(args[1:]))
	default:
		fmt.Fprintln(os.Stderr, usage)
		os.Exit(2)
	}
}
