package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	corev1 "k8s.io/api/core/v1"
)

// layOut makes the container's root with every volume that it mounts: the volume is a directory next to the root, and
// the mount a symbolic link to it.
func (w *worker) layOut(ctx context.Context) error {
	if err := os.MkdirAll(w.root(), 0o755); err != nil {
		return err
	}
	for _, mount := range w.container.VolumeMounts {
		for i := range w.pod.Spec.Volumes {
			volume := &w.pod.Spec.Volumes[i]
			if volume.Name != mount.Name {
				continue
			}
			if err := w.mount(ctx, volume, mount); err != nil {
				return fmt.Errorf("MountVolume.SetUp failed for volume %q : %w", volume.Name, err)
			}
		}
	}
	return nil
}

func (w *worker) mount(ctx context.Context, volume *corev1.Volume, mount corev1.VolumeMount) error {
	place := filepath.Join(w.dir, "volumes", volume.Name)
	if err := os.MkdirAll(place, 0o777); err != nil {
		return err
	}
	if err := w.fill(ctx, volume, place); err != nil {
		return err
	}
	link := filepath.Join(w.root(), mount.MountPath)
	if _, err := os.Lstat(link); err == nil {
		return nil // made in an attempt before this one
	}
	if err := os.MkdirAll(filepath.Dir(link), 0o755); err != nil {
		return err
	}
	target := filepath.Join(place, mount.SubPath)
	if _, err := os.Lstat(target); os.IsNotExist(err) {
		if err := os.MkdirAll(target, 0o777); err != nil {
			return err
		}
	}
	return os.Symlink(target, link)
}

// fill puts what the volume holds into its directory.
func (w *worker) fill(ctx context.Context, volume *corev1.Volume, place string) error {
	switch {
	case volume.EmptyDir != nil:
		return nil
	case volume.Secret != nil:
		source := volume.Secret
		data, err := w.secret(ctx, source.SecretName, source.Optional)
		if err != nil {
			return err
		}
		return writeKeys(place, data, source.Items, source.DefaultMode)
	case volume.ConfigMap != nil:
		source := volume.ConfigMap
		data, err := w.configMap(ctx, source.Name, source.Optional)
		if err != nil {
			return err
		}
		return writeKeys(place, data, source.Items, source.DefaultMode)
	}
	return fmt.Errorf("this kind of volume is not supported here")
}

// writeKeys writes the chosen keys to files, or all keys when none are chosen.
func writeKeys(place string, data map[string]string, items []corev1.KeyToPath, mode *int32) error {
	if items == nil {
		for key := range data {
			items = append(items, corev1.KeyToPath{Key: key, Path: key})
		}
	}
	for _, item := range items {
		value, found := data[item.Key]
		if !found {
			return fmt.Errorf("references non-existent secret key: %s", item.Key)
		}
		permissions := os.FileMode(0o644)
		if item.Mode != nil {
			permissions = os.FileMode(*item.Mode)
		} else if mode != nil {
			permissions = os.FileMode(*mode)
		}
		path := filepath.Join(place, item.Path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(value), 0o600); err != nil {
			return err
		}
		if err := os.Chmod(path, permissions); err != nil {
			return err
		}
	}
	return nil
}
