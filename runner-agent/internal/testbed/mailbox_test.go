package testbed

import (
	"net"
	"net/smtp"
	"strconv"
	"strings"
	"testing"
)

func TestMailbox_keepsWhatItIsSentAlsoWhereItsSenderDoesNotHearOfIt(t *testing.T) {
	lost := 0
	b, err := OpenMailbox(func(_ net.Addr, m Received) bool {
		if m.Subject == "lost" {
			lost++
		}
		return m.Subject == "lost"
	})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	send := func(subject string) error {
		return smtp.SendMail("127.0.0.1:"+strconv.Itoa(b.Port()), nil, "a@example.org", []string{"b@example.org"},
			[]byte("Message-ID: <"+subject+"@example.org>\r\nSubject: "+subject+"\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\na=3Db\r\n.. c\r\n"))
	}
	if err := send("heard"); err != nil {
		t.Fatal(err)
	}
	if err := send("lost"); err == nil {
		t.Error("the sender of what was lost heard that it was taken")
	}
	got := b.Mails()
	if len(got) != 2 || lost != 1 {
		t.Fatalf("%d mails, %d lost", len(got), lost)
	}
	if m := got[0]; m.MessageID != "heard@example.org" || m.To != "b@example.org" || !strings.HasPrefix(m.Text, "a=b\n.. c") {
		t.Errorf("%+v", m)
	}
}
