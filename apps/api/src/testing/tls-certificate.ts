/** A self-signed certificate of website.example, other.example and 127.0.0.1, for servers of tests. */
export const certificate = `-----BEGIN CERTIFICATE-----
MIIBvzCCAWSgAwIBAgIUHh171Z20hBLiZjmsRS9CLJBqzecwCgYIKoZIzj0EAwIw
GjEYMBYGA1UEAwwPd2Vic2l0ZS5leGFtcGxlMCAXDTI2MTEyNjA4MjIyNloYDzIx
MjYxMTAyMDgyMjI2WjAaMRgwFgYDVQQDDA93ZWJzaXRlLmV4YW1wbGUwWTATBgcq
hkjOPQIBBggqhkjOPQMBBwNCAASlTOAk7eZZYrmQMm2Ep+1rVkFAWjXvL6lM4ydD
+rjmzUjMhu+b66huAdh6Y09Af35EcYprTNGsHc6j9dJqRlYto4GFMIGCMB0GA1Ud
DgQWBBQvzjUJvQsSWnG9X/scrdfyanxoszAfBgNVHSMEGDAWgBQvzjUJvQsSWnG9
X/scrdfyanxoszAPBgNVHRMBAf8EBTADAQH/MC8GA1UdEQQoMCaCD3dlYnNpdGUu
ZXhhbXBsZYINb3RoZXIuZXhhbXBsZYcEfwAAATAKBggqhkjOPQQDAgNJADBGAiEA
+4VG6QyGbMRNTMtuq4GSSpWzNDrZb0Lt+fBEbLZSOjQCIQDLDemgRYl3EmXYhCDs
GSoB6+OJvxLzqUPMG2WS2Fr0+w==
-----END CERTIFICATE-----
`;

/** Its private key, which protects nothing. */
export const certificateKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgHg1nqiQTHfPNUceK
YsN8J3nrgnRWhVMjoZcTMusMETahRANCAASlTOAk7eZZYrmQMm2Ep+1rVkFAWjXv
L6lM4ydD+rjmzUjMhu+b66huAdh6Y09Af35EcYprTNGsHc6j9dJqRlYt
-----END PRIVATE KEY-----
`;
