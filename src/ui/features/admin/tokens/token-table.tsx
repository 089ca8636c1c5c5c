import type { ApiToken } from "#api/modules/tokens/contract.ts";
import { Table, TableBody, TableCell, TableHeader, TableRow } from "#ui/components/ui/table.tsx";
import { formatDate, formatDateTime } from "../format.ts";
import { tokenPageTexts as texts } from "./texts.ts";
import { ScopeBadges, StateBadge } from "./token-marks.tsx";

type TokenTableProps = { tokens: readonly ApiToken[]; onOpen: (id: string) => void };

/** The tokens, a row each; a press anywhere in a row opens it. */
export const TokenTable = ({ tokens, onOpen }: TokenTableProps) => (
  <Table label={texts.table}>
    <TableHeader columns={columns} />
    <TableBody>
      {tokens.map((token) => (
        <TableRow key={token.id} className="relative hover:bg-muted/60">
          <th scope="row" className="w-full max-w-0 py-1 pr-3 pl-4 text-left font-medium">
            <button
              type="button"
              onClick={() => onOpen(token.id)}
              className="wrap-anywhere min-h-8 cursor-pointer text-left outline-none after:absolute after:inset-0 focus-visible:after:ring-2 focus-visible:after:ring-ring focus-visible:after:ring-inset"
            >
              {token.name}
            </button>
            <span className="block pb-1 font-mono font-normal text-muted-foreground text-xs">
              …{token.hint}
            </span>
            <span className="block pb-1 lg:hidden">
              <ScopeBadges {...token} />
            </span>
          </th>
          <TableCell className={looks.scopes}>
            <ScopeBadges {...token} />
          </TableCell>
          <TableCell className={looks.owner}>{token.owner?.name ?? texts.operator}</TableCell>
          <TableCell className={looks.used}>
            {token.lastUsedAt === null ? texts.never : formatDateTime(token.lastUsedAt)}
          </TableCell>
          <TableCell className={looks.expires}>
            {token.expiresAt === null ? texts.never : formatDate(token.expiresAt)}
          </TableCell>
          <TableCell>
            <StateBadge token={token} />
          </TableCell>
        </TableRow>
      ))}
    </TableBody>
  </Table>
);

// What a narrow window has no room for goes; the scopes move below the name.
const looks = {
  scopes: "max-lg:hidden",
  owner: "max-xl:hidden",
  used: "max-md:hidden",
  expires: "max-md:hidden",
};
const columns = [
  { name: texts.columns.name },
  { name: texts.columns.scopes, look: looks.scopes },
  { name: texts.columns.owner, look: looks.owner },
  { name: texts.columns.used, look: looks.used },
  { name: texts.columns.expires, look: looks.expires },
  { name: texts.columns.state },
];
