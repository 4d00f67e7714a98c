package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// onMachine is the first argument of this program where it becomes the shell of a bare machine.
const onMachine = "on-machine"

// person is the number of the one user that a bare machine has besides root.
const person = 1000

// ownWorld makes mounts this process's own, and the network one with loopback.
func ownWorld() error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("cannot make mounts private: %w", err)
	}
	if err := unix.Mount("proc", "/proc", "proc", 0, ""); err != nil {
		return fmt.Errorf("cannot mount /proc: %w", err)
	}
	socket, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM, 0)
	if err != nil {
		return err
	}
	defer unix.Close(socket)
	loopback, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	loopback.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	if err := unix.IoctlIfreq(socket, unix.SIOCSIFFLAGS, loopback); err != nil {
		return fmt.Errorf("cannot start the loopback network: %w", err)
	}
	return nil
}

// mounting is a folder of this machine that a bare one has, too, unchangeable.
type mounting struct{ from, to string }

// onMachineCommand starts this program as the shell of the bare machine whose files are in a folder.
func onMachineCommand(root string, asRoot bool, mountings []mounting) *exec.Cmd {
	user := person
	if asRoot {
		user = 0
	}
	args := []string{onMachine, root, strconv.Itoa(user)}
	for _, m := range mountings {
		args = append(args, m.from, m.to)
	}
	shell := exec.Command("/proc/self/exe", args...)
	shell.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags: syscall.CLONE_NEWNS | syscall.CLONE_NEWPID | syscall.CLONE_NEWUTS | syscall.CLONE_NEWIPC,
		Pdeathsig:  syscall.SIGKILL,
	}
	return shell
}

// becomeMachine is run in new namespaces, as root: it turns this process into a shell that sees only the machine.
func becomeMachine(args []string) error {
	root := args[0]
	user, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return err
	}
	for i := 2; i+1 < len(args); i += 2 {
		if err := bindReadOnly(args[i], filepath.Join(root, args[i+1])); err != nil {
			return err
		}
	}
	if err := systemMounts(root); err != nil {
		return err
	}
	if err := unix.Sethostname([]byte("bare")); err != nil {
		return err
	}
	if err := unix.Chroot(root); err != nil {
		return err
	}
	home := homeOf(user)
	if err := os.Chdir(home); err != nil {
		return err
	}
	if err := syscall.Setgroups([]int{}); err != nil {
		return err
	}
	if err := syscall.Setgid(user); err != nil {
		return err
	}
	if err := syscall.Setuid(user); err != nil {
		return err
	}
	return syscall.Exec("/bin/sh", []string{"sh", "-i"}, []string{
		"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME=" + home, "PS1=" + prompt, "TERM=dumb"})
}

func homeOf(user int) string {
	if user == 0 {
		return "/root"
	}
	return "/home/person"
}

func bindReadOnly(from, to string) error {
	if err := unix.Mount(from, to, "", unix.MS_BIND, ""); err != nil {
		return fmt.Errorf("cannot mount %s as %s: %w", from, to, err)
	}
	return unix.Mount("", to, "", unix.MS_BIND|unix.MS_REMOUNT|unix.MS_RDONLY, "")
}

// systemMounts are what the kernel shows, and the devices that every program expects.
func systemMounts(root string) error {
	for _, m := range []struct {
		kind, at, options string
		flags             uintptr
	}{
		{"proc", "proc", "", 0},
		{"sysfs", "sys", "", unix.MS_RDONLY},
		{"tmpfs", "dev", "mode=755", 0},
	} {
		if err := unix.Mount(m.kind, filepath.Join(root, m.at), m.kind, m.flags, m.options); err != nil {
			return fmt.Errorf("cannot mount /%s: %w", m.at, err)
		}
	}
	dev := filepath.Join(root, "dev")
	for name, minor := range map[string]uint32{"null": 3, "zero": 5, "full": 7, "random": 8, "urandom": 9} {
		path := filepath.Join(dev, name)
		if err := unix.Mknod(path, unix.S_IFCHR|0o666, int(unix.Mkdev(1, minor))); err != nil {
			return fmt.Errorf("cannot make /dev/%s: %w", name, err)
		}
		if err := os.Chmod(path, 0o666); err != nil {
			return err
		}
	}
	if err := os.Symlink("/proc/self/fd", filepath.Join(dev, "fd")); err != nil {
		return err
	}
	shared := filepath.Join(dev, "shm")
	if err := os.Mkdir(shared, 0o755); err != nil {
		return err
	}
	return unix.Mount("tmpfs", shared, "tmpfs", 0, "mode=1777")
}
