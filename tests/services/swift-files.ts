import { existsSync } from "node:fs";
import { userInfo } from "node:os";

/** The four programs that Swift consists of; the last one is what clients talk to. */
export const swiftServers = ["account", "container", "object", "proxy"] as const;

/** Debian's own: another Python that comes first on the path has no Swift. */
export const python = "/usr/bin/python3";

/** Where one of the four is installed. */
export const programOf = (name: string): string => `/usr/bin/swift-${name}-server`;

/** Whether Swift is installed. */
export const hasSwift = (): boolean =>
  existsSync(python) && swiftServers.every((name) => existsSync(programOf(name)));

type Placement = {
  folder: string;
  portOf: (name: (typeof swiftServers)[number]) => number;
  /** `account:user`, as the access key ID of S3. */
  keyId: string;
  secret: string;
  region: string;
};

/** The files of a Swift with one copy of everything and without a cache server, by name. */
export const swiftFiles = (placement: Placement): Record<string, string> => ({
  "swift.conf": swiftConf,
  "rings.py": rings(placement),
  "proxy.conf": proxyConf(placement),
  ...Object.fromEntries(
    (["account", "container", "object"] as const).map((name) => [
      `${name}.conf`,
      `${defaults(placement, name)}
[pipeline:main]
pipeline = ${name}-server

[app:${name}-server]
use = egg:swift#${name}
`,
    ]),
  ),
});

const swiftConf = `[swift-hash]
swift_hash_path_prefix = atrium
swift_hash_path_suffix = tests

[storage-policy:0]
name = default
default = yes
`;

const defaults = ({ folder, portOf }: Placement, name: (typeof swiftServers)[number]): string => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${portOf(name)}
user = ${userInfo().username}
swift_dir = ${folder}
devices = ${folder}/devices
mount_check = false
disable_fallocate = true
workers = 0
log_address = ${folder}/none
`;

// The order is Swift's own advice; symlink has to be there for versioned_writes.
const pipeline =
  "catch_errors healthcheck cache listing_formats bulk s3api tempauth slo dlo versioned_writes symlink proxy-server";

const proxyConf = (placement: Placement): string => {
  const [account = "", user = ""] = placement.keyId.split(":");
  return `${defaults(placement, "proxy")}
[pipeline:main]
pipeline = ${pipeline}

[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true

[filter:s3api]
use = egg:swift#s3api
location = ${placement.region}
s3_acl = false

[filter:tempauth]
use = egg:swift#tempauth
user_${account}_${user} = ${placement.secret} .admin

[filter:cache]
use = egg:swift#memcache
# There is no memcached: every lookup goes to the servers themselves.
memcache_servers = 127.0.0.1:1
${["catch_errors", "healthcheck", "listing_formats", "bulk", "slo", "dlo", "versioned_writes", "symlink"]
  .map((name) => `\n[filter:${name}]\nuse = egg:swift#${name}\n`)
  .join("")}`;
};

const rings = ({ folder, portOf }: Placement): string => `from swift.common.ring import RingBuilder

for name, port in [${(["account", "container", "object"] as const)
  .map((name) => `("${name}", ${portOf(name)})`)
  .join(", ")}]:
    builder = RingBuilder(2, 1, 1)
    builder.add_dev({"region": 1, "zone": 1, "ip": "127.0.0.1", "port": port, "device": "disk", "weight": 1})
    builder.rebalance()
    builder.get_ring().save("${folder}/%s.ring.gz" % name)
`;
