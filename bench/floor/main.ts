import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import pg from "pg";
import { Server } from "socket.io";

/**
 * The floor, in a process of its own: Postgres and Socket.IO alone - one bare commit, one bare broadcast; no
 * capture, no order, no rights, no replay.
 */
const [databaseUrl = ""] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
/** Answers any request with nothing: what a flood of REST calls meets where no work is done for it. */
const http = createServer((request, response) => {
  request.resume().once("end", () => response.end("{}"));
});
const io = new Server(http, {
  transports: ["websocket"],
  perMessageDeflate: false,
  maxHttpBufferSize: 100_000_000,
});

/** One change as it would travel, so that sizes are alike. */
const change = (id: string, value: string) => ({
  record: id,
  set: { notes: value },
  by: { kind: "user", id: "9f1c1f3e-4a53-4b0e-9c55-1f1f64c6a0b1", name: "Somebody" },
  at: new Date().toISOString(),
});

io.on("connection", (socket) => {
  socket.on("watch", (done: () => void) => {
    void socket.join("viewers");
    done();
  });
  socket.on("edit", async (call: { id: string; value: string }, done: () => void) => {
    await pool.query("update bench.incidents set notes = $2 where id = $1", [call.id, call.value]);
    io.to("viewers").emit("edit", change(call.id, call.value));
    done();
  });
  // What the load of edits meets: prepared, as the product's statements are, and without viewers.
  socket.on("commit", async ({ id, value }: { id: string; value: string }, done: () => void) => {
    const text = "update bench.incidents set notes = $2 where id = $1";
    await pool.query({ name: "commit", text, values: [id, value] });
    done();
  });
  socket.on("burst", (call: { values: string[] }, done: () => void) => {
    for (const value of call.values) io.to("viewers").emit("edit", change("burst", value));
    done();
  });
  socket.on("join", (room: string, done: () => void) => {
    void socket.join(room);
    done();
  });
  socket.on("relay", ({ room, frame }: { room: string; frame: object }) => {
    io.to(room).emit("frame", frame);
  });
  // Answers the product's calls with nothing, for a flood of them where no work is done.
  for (const call of ["subscribe", "query", "mutate", "tiles", "leaveTiles"]) {
    socket.on(call, (_input: unknown, done: (answer: object) => void) => {
      done({ ok: true, results: [] });
    });
  }
  socket.on("rows", (count: number, done: (rows: unknown[]) => void) => {
    done(Array.from({ length: count }, (_, seq) => ({ seq, ...change("row", `value ${seq}`) })));
  });
});

http.listen(0, "127.0.0.1", () => {
  process.send?.({ port: (http.address() as AddressInfo).port });
});
process.on("disconnect", () => process.exit(0));
