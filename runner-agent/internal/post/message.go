package post

import (
	"context"
	"database/sql"
	"strings"
)

// Channels are by which a service tells people, in the order of their names.
var Channels = []string{"mail", "webhook"}

// Message is a row of the service's outbox, and what of it arrived.
type Message struct {
	Notice    string `json:"notice"` // its id
	Kind      string `json:"kind"`
	About     string `json:"about"`     // slug of the build or machine
	Channel   string `json:"channel"`   // mail or webhook
	Recipient string `json:"recipient"` // id of the account or webhook
	ID        string `json:"messageId"`
	State     string `json:"state"`
	Attempts  int    `json:"attempts"`
	Resends   int    `json:"resends"`
	Error     string `json:"error"`   // of the last attempt that failed; "": none did
	Arrived   int    `json:"arrived"` // how often
	Text      string `json:"text"`    // as it arrived first, a mail's subject before it; "": it did not
}

// Arrivals is what came at the post.
type Arrivals struct {
	Messages []Message // rows of notices, in their order
	Forged   int       // calls whose signature is wrong
	Strange  int       // mails and calls that no row has
}

// Arrivals reads the outbox and looks what of it arrived. Mails that prove an address tell of nothing, and do not count.
func (p *Post) Arrivals(ctx context.Context, service *sql.DB) (a Arrivals, err error) {
	came := map[string][]string{}
	for _, m := range p.Mailbox.Mails() {
		if !proves(m) {
			id, _, _ := strings.Cut(m.MessageID, "@")
			came[id] = append(came[id], "Subject: "+m.Subject+"\n\n"+m.Text)
		}
	}
	for _, c := range p.Hook.Calls() {
		came[c.ID] = append(came[c.ID], c.Body)
		if !c.Signed {
			a.Forged++
		}
	}
	rows, err := service.QueryContext(ctx, `
		select n.external_id, n.kind, coalesce(m.slug, b.slug, ''), o.channel, o.recipient, o.message_id, o.state, o.attempts, o.resends, coalesce(o.last_error, '')
		  from outbox o join notice n using (notice_id) left join machine m on m.machine_id = n.machine_id
		  left join jdk_build b on b.jdk_build_id = n.jdk_build_id order by o.outbox_id`)
	if err != nil {
		return a, err
	}
	defer rows.Close()
	for rows.Next() {
		var m Message
		if err := rows.Scan(&m.Notice, &m.Kind, &m.About, &m.Channel, &m.Recipient, &m.ID, &m.State, &m.Attempts, &m.Resends, &m.Error); err != nil {
			return a, err
		}
		if texts := came[m.ID]; len(texts) > 0 {
			m.Arrived, m.Text = len(texts), texts[0]
		}
		delete(came, m.ID)
		a.Messages = append(a.Messages, m)
	}
	a.Strange = len(came)
	return a, rows.Err()
}
