package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/hex"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// internalUser is who the controllers and the node are to the apiserver. The audit log leaves it out.
const internalUser = "system:kubemini"

// users are the names of the tokens that the apiserver knows, with the user and the group that each stands for.
var users = []struct{ name, user, group string }{
	{"admin", "admin", "system:masters"},
	{"app", "app", "apps"},
	{"outsider", "outsider", "outsiders"},
	{"internal", internalUser, "system:masters"},
}

// credentials are the files and tokens that the cluster and its clients need.
type credentials struct {
	dir    string
	tokens map[string]string
	server tls.Certificate
	roots  *x509.CertPool
}

func (c *credentials) path(name string) string { return filepath.Join(c.dir, name) }

// authority is a certificate authority that can sign.
type authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
	pem         []byte
}

// newCredentials makes a CA, the server's certificate, the service-account key and the tokens, and writes them to dir.
func newCredentials(dir string) (*credentials, error) {
	c := &credentials{dir: dir, tokens: map[string]string{}, roots: x509.NewCertPool()}
	ca, err := newAuthority("kubemini test CA")
	if err != nil {
		return nil, err
	}
	wrong, err := newAuthority("another test CA")
	if err != nil {
		return nil, err
	}
	certificate, key, err := ca.issue("kubemini")
	if err != nil {
		return nil, err
	}
	serviceAccounts, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	serviceAccountKey, err := keyPEM(serviceAccounts)
	if err != nil {
		return nil, err
	}
	if c.server, err = tls.X509KeyPair(certificate, key); err != nil {
		return nil, err
	}
	c.roots.AddCert(ca.certificate)

	var csv strings.Builder
	for _, u := range users {
		c.tokens[u.name] = randomToken()
		fmt.Fprintf(&csv, "%s,%s,%s,%q\n", c.tokens[u.name], u.user, u.name, u.group)
	}
	c.tokens["expired"] = randomToken()
	for name, content := range map[string][]byte{
		"ca.crt": ca.pem, "wrong-ca.crt": wrong.pem, "server.crt": certificate, "server.key": key,
		"service-accounts.key": serviceAccountKey, "tokens.csv": []byte(csv.String()),
	} {
		if err := os.WriteFile(c.path(name), content, 0o600); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// writeKubeconfigs writes a kubeconfig for every way that a test may call the server, and tells their paths.
func (c *credentials) writeKubeconfigs(url string) (map[string]string, error) {
	paths := map[string]string{}
	for _, k := range []struct{ name, ca, token string }{
		{"admin", "ca.crt", "admin"},
		{"app", "ca.crt", "app"},
		{"outsider", "ca.crt", "outsider"},
		{"wrong_ca", "wrong-ca.crt", "app"},
		{"expired", "ca.crt", "expired"},
	} {
		text := fmt.Sprintf(`apiVersion: v1
kind: Config
clusters:
- name: kubemini
  cluster:
    server: %s
    certificate-authority: %q
users:
- name: %s
  user:
    token: %s
contexts:
- name: kubemini
  context:
    cluster: kubemini
    user: %s
    namespace: default
current-context: kubemini
`, url, c.path(k.ca), k.token, c.tokens[k.token], k.token)
		paths[k.name] = c.path(k.name + ".kubeconfig")
		if err := os.WriteFile(paths[k.name], []byte(text), 0o600); err != nil {
			return nil, err
		}
	}
	return paths, nil
}

func randomToken() string {
	b := make([]byte, 16)
	_, _ = rand.Read(b) // it never fails
	return hex.EncodeToString(b)
}

func newAuthority(name string) (*authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := certificateTemplate(name)
	template.IsCA = true
	template.BasicConstraintsValid = true
	template.KeyUsage = x509.KeyUsageCertSign | x509.KeyUsageCRLSign
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, err
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, err
	}
	return &authority{certificate, key, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})}, nil
}

// issue makes a certificate for 127.0.0.1, for servers and clients, and gives it and its key as PEM.
func (a *authority) issue(name string) (certificate, key []byte, err error) {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	template := certificateTemplate(name)
	template.KeyUsage = x509.KeyUsageDigitalSignature
	template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}
	template.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1)}
	template.DNSNames = []string{"localhost", "kubernetes.default.svc"}
	der, err := x509.CreateCertificate(rand.Reader, template, a.certificate, private.Public(), a.key)
	if err != nil {
		return nil, nil, err
	}
	key, err = keyPEM(private)
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), key, err
}

func keyPEM(key *ecdsa.PrivateKey) ([]byte, error) {
	der, err := x509.MarshalECPrivateKey(key)
	return pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der}), err
}

func certificateTemplate(name string) *x509.Certificate {
	serial, _ := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	return &x509.Certificate{
		SerialNumber: serial,
		Subject:      pkix.Name{CommonName: name},
		NotBefore:    time.Now().Add(-time.Hour),
		NotAfter:     time.Now().Add(48 * time.Hour),
	}
}
