package api

import (
	"context"
	"net/http"
)

// Phases of a JDK provider's work. Done clears what the service shows.
const (
	JDKAsking      = "asking"
	JDKCommand     = "command"
	JDKDownloading = "downloading"
	JDKVerifying   = "verifying"
	JDKUnpacking   = "unpacking"
	JDKDone        = "done"
)

// JDKProgress is what the JDK provider of this machine does now.
type JDKProgress struct {
	Phase    string `json:"phase"`
	Selector string `json:"selector,omitempty"`
	Bytes    int64  `json:"bytes,omitempty"` // downloaded
	Of       int64  `json:"of,omitempty"`    // 0: not known
}

// PutJDKProgress says it. A service of before says 404.
func (c *Client) PutJDKProgress(ctx context.Context, p JDKProgress) error {
	_, err := c.json(ctx, callTimeout, http.MethodPut, "/api/agent/v1/jdk-progress", p, nil)
	return err
}
