// Package dbproxy puts a network delay between a server and its database: a proxy in a
// process of its own, which holds every packet back.
package dbproxy

import (
	"fmt"
	"net"
	"strings"

	"github.com/Shopify/toxiproxy/v2"
	"github.com/Shopify/toxiproxy/v2/toxics"
	"github.com/rs/zerolog"

	"loomboard.dev/agent/internal/api"
)

// listen passes connections on to the database until stop is called. A
// direction that is not delayed is passed on as the library does.
func listen(upstream string, d api.DatabaseDelay) (address string, stop func(), err error) {
	if _, _, err := net.SplitHostPort(upstream); err != nil {
		return "", nil, fmt.Errorf("delay: the database's address: %w", err)
	}
	toxics.Register(lineType, new(line))
	server := toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.Nop())
	proxy := toxiproxy.NewProxy(server, "database", "127.0.0.1:0", upstream)
	if err := proxy.Start(); err != nil {
		return "", nil, fmt.Errorf("delay: %w", err)
	}
	for stream, ms := range map[string]int{"upstream": d.ToDatabaseMs, "downstream": d.FromDatabaseMs} {
		if ms == 0 {
			continue
		}
		toxic := fmt.Sprintf(`{"name": %[1]q, "type": %[2]q, "stream": %[1]q, "attributes": {"ms": %[3]d}}`, stream, lineType, ms)
		if _, err := proxy.Toxics.AddToxicJson(strings.NewReader(toxic)); err != nil {
			proxy.Stop()
			return "", nil, fmt.Errorf("delay: %s: %w", stream, err)
		}
	}
	return proxy.Listen, proxy.Stop, nil
}
