# Varnish 6 or newer in front of the registry, with PURGE_URL=http://127.0.0.1:6081/purge there. TLS ends before Varnish.
vcl 4.1;

backend default {
  .host = "127.0.0.1";
  .port = "3000";
}

acl registry {
  "localhost";
}

sub vcl_recv {
  if (req.method == "POST" && req.url == "/purge") {
    # Varnish has added the client: a comma means that a proxy on this machine passes a visitor on.
    if (client.ip !~ registry || req.http.X-Forwarded-For ~ ",") {
      return (synth(403));
    }
    # Surrogate-Key is ids and "list": what shows one of them is purged.
    ban("obj.http.Surrogate-Key ~ (^|\s)(" + regsuball(req.http.Surrogate-Key, "\s+", "|") + ")(\s|$)");
    return (synth(204));
  }
}

sub vcl_deliver {
  unset resp.http.Surrogate-Key;
  unset resp.http.Cache-Tag;
}
