/**
 * The settings of the embedded Postgres, given on its command line so that an older data folder gets them
 * too. They fit a machine of two cores and 2 GB that runs the server beside it.
 */
const settings: Readonly<Record<string, string>> = {
  // Promise 6: an acknowledged edit survives. Never off, not even in tests.
  fsync: "on",
  synchronous_commit: "on",
  full_page_writes: "on",
  max_connections: "60",
  superuser_reserved_connections: "3",
  shared_buffers: "128MB",
  effective_cache_size: "512MB",
  work_mem: "8MB",
  maintenance_work_mem: "64MB",
  // Assumes solid state disks; and short statements gain nothing from compilation.
  random_page_cost: "1.1",
  jit: "off",
  max_wal_size: "1GB",
  checkpoint_timeout: "15min",
  // A statement whose client was killed ends soon, and with it its locks.
  client_connection_check_interval: "2s",
  timezone: "UTC",
  log_timezone: "UTC",
  // Only what concerns the server itself: a refused statement is reported by its sender.
  log_min_messages: "log",
  log_min_error_statement: "panic",
  log_checkpoints: "off",
  log_line_prefix: "%m [%p] ",
  logging_collector: "off",
};

/** Where Postgres listens: on sockets that only its owner reaches, or (Windows) on a loopback port. */
export type Listen = { readonly socketFolders: readonly string[] } | { readonly port: number };

function listenSettings(listen: Listen): Record<string, string> {
  if ("port" in listen) {
    return {
      listen_addresses: "127.0.0.1",
      port: String(listen.port),
      unix_socket_directories: "",
    };
  }
  return {
    listen_addresses: "",
    port: "5432",
    // Quoted, because the setting is a list: a comma in a path would split it.
    unix_socket_directories: listen.socketFolders
      .map((folder) => `"${folder.replaceAll('"', '""')}"`)
      .join(","),
    unix_socket_permissions: "0700",
  };
}

/** All settings as command line arguments; `overrides` come last. */
export function settingArguments(
  listen: Listen,
  overrides: Readonly<Record<string, string>>,
): string[] {
  const all = { ...settings, ...listenSettings(listen), ...overrides };
  return Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}
