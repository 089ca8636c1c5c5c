import { Fragment } from "react";
import { asText, changeRows } from "#contract/change-rows.ts";
import { detailTexts as texts } from "./texts.ts";

/** A change field by field: before and after. */
export const ChangeTable = ({ before, after }: { before: unknown; after: unknown }) => {
  const rows = changeRows(before, after);
  if (rows.length === 0) return <p className="text-muted-foreground text-sm">{texts.noChanges}</p>;
  return (
    <div className="overflow-hidden rounded-md border border-border">
      <table className="w-full table-fixed text-[0.8125rem]">
        <thead className="bg-muted text-muted-foreground text-xs">
          <tr>
            {[texts.field, texts.before, texts.after].map((name) => (
              <th
                key={name}
                scope="col"
                className="px-3 py-2 text-left font-medium first:w-1/3 sm:first:w-3/10"
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-border">
          {rows.map((row) => (
            <tr key={row.field} className="align-top">
              <th scope="row" className="wrap-anywhere px-3 py-2 text-left font-medium">
                {row.field === "" ? texts.value : <FieldName field={row.field} />}
              </th>
              <Side value={row.before} />
              <Side value={row.after} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};

/** The name of a nested field, broken behind a dot where it is too long for its line. */
const FieldName = ({ field }: { field: string }) => {
  const parts = field.split(".");
  return parts.map((part, depth) => (
    <Fragment key={parts.slice(0, depth + 1).join(".")}>
      {depth > 0 && (
        <>
          .<wbr />
        </>
      )}
      {part}
    </Fragment>
  ));
};

const Side = ({ value }: { value: unknown }) => (
  <td className="wrap-anywhere whitespace-pre-wrap px-3 py-2">
    {asText(value) || <span className="text-muted-foreground">{texts.absent}</span>}
  </td>
);
