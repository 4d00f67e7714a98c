package api

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"
)

// MostBundleBytes is what the service takes of a bundle.
const MostBundleBytes = 64 << 20

const (
	// bundleTimeout is how long a bundle may take with all of its bytes.
	bundleTimeout = 15 * time.Minute
	// mostAnswered is more than any bundle has.
	mostAnswered = 1 << 30
)

// ImportedRun is a run as it is where it was imported.
type ImportedRun struct {
	RunID string `json:"runId"`
	URL   string `json:"url"` // path of its page
}

// Patiently has answers begin as late as a bundle needs to be made or taken. Set it before the first call.
func (c *Client) Patiently() {
	if line, ok := c.http.Transport.(*http.Transport); ok {
		line.ResponseHeaderTimeout = bundleTimeout
	}
}

// Bundle writes the bundle of a run; a compact one is without what no number is made of.
func (c *Client) Bundle(ctx context.Context, runID string, compact bool, to io.Writer) error {
	path := "/api/v1/runs/" + url.PathEscape(runID) + "/bundle"
	if compact {
		path += "?content=compact"
	}
	_, err := c.call(ctx, bundleTimeout, http.MethodGet, path, nil, http.Header{}, &copied{to})
	return err
}

// copied is an answer that is a file.
type copied struct{ to io.Writer }

func (c *copied) read(res *http.Response) error {
	if kind := res.Header.Get("Content-Type"); kind != "application/zip" {
		return fmt.Errorf("it must be application/zip, is %.80q", kind)
	}
	n, err := io.Copy(c.to, io.LimitReader(res.Body, mostAnswered))
	if err == nil && n == mostAnswered {
		err = errors.New("it has no end")
	}
	return err
}

// PutBundle imports a run into the workspace of the API token that is the client's key.
func (c *Client) PutBundle(ctx context.Context, visibility string, bundle []byte) (ImportedRun, error) {
	var out ImportedRun
	_, err := c.call(ctx, bundleTimeout, http.MethodPost, "/api/v1/bundles?"+url.Values{"visibility": {visibility}}.Encode(), bundle,
		http.Header{"Content-Type": {"application/zip"}}, &out)
	out.RunID, out.URL = printable(out.RunID), printable(out.URL)
	return out, err
}
