import { BYTE_ORDER_MARK, csvLine, withoutFormula } from "../../../shared/csv-line.ts";
import { ID_FIELD } from "../../../shared/filter/value-kinds.ts";
import { isReference } from "../../../shared/model/field-types.ts";
import { Refusal } from "../../../shared/protocol/errors.ts";
import type { QueryCall } from "../../../shared/protocol/feed.ts";
import type { recordRoutes } from "../../../shared/protocol/records.ts";
import type { ExportBatch } from "../../commands/exports.ts";
import { writeCell, writeReadable } from "../../import/cell-text.ts";
import type { AppDeps } from "../app-deps.ts";
import { currentIdentityOf } from "../current-identity.ts";
import { type Call, type Handlers, Reply } from "../handlers.ts";
import { spooled } from "../spool.ts";

const CSV = "GET /tables/{table}/export.csv";
const JSONL = "GET /tables/{table}/export.jsonl";
type ExportRoutes = Pick<typeof recordRoutes, typeof CSV | typeof JSONL>;

/**
 * The records of a view as a file. They are read as of one moment; the rights are checked again while the file is
 * sent. Who exports what is a security event, recorded before anything is sent.
 */
export function recordExportHandlers(deps: AppDeps): Handlers<ExportRoutes> {
  const { auth, commands } = deps;
  const { EXPORT_FILE_MAX_BYTES: maxBytes } = deps.config.limits;
  const answer = async (
    { identity, request }: Call<ExportRoutes[keyof ExportRoutes]>,
    call: QueryCall,
    { name, textsOf }: { name: string; textsOf: typeof csvTexts },
    labels = false,
  ) => {
    // Refuses what can't be exported while a status can still be answered.
    const rights = commands.exportRights(identity, call, labels);
    const detail = { file: name, table: call.table, view: JSON.stringify(call) };
    await auth.recordEvent({ kind: "records_exported", actor: identity.subject.id, detail });
    const current = currentIdentityOf(request, deps);
    const requireSameRights = async () => {
      const now = commands.exportRights(await current(), call, labels);
      if (now !== rights) throw new Refusal("forbidden", { right: "export", table: call.table });
    };
    // A download has its place until it ends: its file takes space for as long.
    const chunks = async function* () {
      const release = await commands.budget.exports.hold(identity.subject.id);
      try {
        const texts = textsOf(commands.exportRecords(identity, call));
        const isWanted = () => !request.socket.destroyed;
        for await (const chunk of spooled(texts, { isWanted, maxBytes })) {
          await requireSameRights();
          yield chunk;
        }
      } finally {
        release();
      }
    };
    return new Reply(undefined, { file: { name, chunks: chunks() } });
  };
  return {
    [CSV]: (call) => {
      const { labels = false, readable = false, ...view } = call.query;
      const named = labels ? labelledTexts : csvTexts;
      const form = {
        name: `${call.params.table}.csv`,
        textsOf: readable ? readableTexts : named,
      };
      return answer(call, { ...view, table: call.params.table }, form, labels || readable);
    },
    [JSONL]: (call) => {
      const form = { name: `${call.params.table}.jsonl`, textsOf: jsonTexts };
      return answer(call, { ...call.query, table: call.params.table }, form);
    },
  };
}

async function* jsonTexts(batches: AsyncIterable<ExportBatch>): AsyncGenerator<string> {
  for await (const { version, records } of batches) {
    yield records.map(({ id, values }) => `${JSON.stringify({ id, version, values })}\n`).join("");
  }
}

const csvTexts = (batches: AsyncIterable<ExportBatch>) => csvLines(batches, false);
const labelledTexts = (batches: AsyncIterable<ExportBatch>) => csvLines(batches, true);

async function* readableTexts(batches: AsyncIterable<ExportBatch>): AsyncGenerator<string> {
  let head = BYTE_ORDER_MARK;
  for await (const { fields, records, labelOf, zone } of batches) {
    const lines = records.map(({ values }) =>
      csvLine(
        fields.map((field) => {
          const label = isReference(field.type) ? labelOf(field.name, values) : "";
          if (label !== "") return withoutFormula(label);
          return writeReadable(field, values[field.name] ?? null, zone);
        }),
      ),
    );
    const labels = fields.map(({ label }) => withoutFormula(label));
    yield (head && head + csvLine(labels)) + lines.join("");
    head = "";
  }
}

async function* csvLines(
  batches: AsyncIterable<ExportBatch>,
  withLabels: boolean,
): AsyncGenerator<string> {
  let head = BYTE_ORDER_MARK;
  for await (const { fields, records, labelOf } of batches) {
    const isLabelled = fields.map((field) => withLabels && isReference(field.type));
    const names = fields.flatMap(({ name }, at) =>
      isLabelled[at] ? [name, `${name} label`] : name,
    );
    const lines = records.map(({ id, values }) => {
      const cells = fields.flatMap((field, at) => {
        const cell = writeCell(field, values[field.name] ?? null);
        return isLabelled[at] ? [cell, withoutFormula(labelOf(field.name, values))] : cell;
      });
      return csvLine([withoutFormula(id), ...cells]);
    });
    yield (head && head + csvLine([ID_FIELD, ...names])) + lines.join("");
    head = "";
  }
}
