package pages

import (
	"encoding/xml"
	"fmt"
	"net/http"
	"net/url"
)

// SiteMap gives the paths that the service's site map names.
func SiteMap(base string) (paths []string, err error) {
	body, status, err := Get(base + "/sitemap.xml")
	if err != nil {
		return nil, err
	}
	if status != http.StatusOK {
		return nil, fmt.Errorf("the site map: status %d", status)
	}
	var named struct {
		Addresses []string `xml:"url>loc"`
	}
	if err := xml.Unmarshal(body, &named); err != nil {
		return nil, fmt.Errorf("the site map: %w", err)
	}
	for _, address := range named.Addresses {
		to, err := url.Parse(address)
		if err != nil {
			return nil, fmt.Errorf("the site map: %w", err)
		}
		paths = append(paths, to.RequestURI())
	}
	return paths, nil
}
