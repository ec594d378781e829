package main

import (
	"errors"
	"net/url"
	"path/filepath"
	"time"

	"go.etcd.io/etcd/server/v3/embed"
)

// startEtcd starts etcd in this process, on a free port of the loopback interface, and tells its URL.
func startEtcd(dir string) (string, error) {
	anywhere := []url.URL{{Scheme: "http", Host: "127.0.0.1:0"}}
	config := embed.NewConfig()
	config.Dir = filepath.Join(dir, "etcd")
	config.ListenClientUrls, config.AdvertiseClientUrls = anywhere, anywhere
	config.ListenPeerUrls, config.AdvertisePeerUrls = anywhere, anywhere
	config.InitialCluster = config.InitialClusterFromName(config.Name)
	config.LogOutputs = []string{filepath.Join(dir, "etcd.log")}
	config.LogLevel = "warn"
	config.EnableGRPCGateway = false
	config.UnsafeNoFsync = true // nobody reads the data after this process
	config.WatchProgressNotifyInterval = 5 * time.Second
	server, err := embed.StartEtcd(config)
	if err != nil {
		return "", err
	}
	select {
	case <-server.Server.ReadyNotify():
		return "http://" + server.Clients[0].Addr().String(), nil
	case err := <-server.Err():
		return "", err
	case <-time.After(30 * time.Second):
		return "", errors.New("etcd is not ready after 30 seconds")
	}
}
