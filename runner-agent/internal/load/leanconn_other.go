//go:build !linux

package load

func (c *leanConn) sendAndReceive(into []byte) (int, error) {
	if err := c.send(); err != nil {
		return 0, err
	}
	return c.Conn.Read(into)
}

func (c *leanConn) sendThenReceive(uintptr) bool { return true }
