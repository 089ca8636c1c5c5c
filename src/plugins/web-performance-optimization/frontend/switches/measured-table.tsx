import {
  formatCount,
  formatMs,
  Table,
  TableBody,
  TableCell,
  TableHeader,
  TableRow,
} from "@atrium/plugin-sdk/ui";
import type { Measured } from "../../backend/wire.ts";
import { texts } from "../texts.ts";

const right = "text-right";
const columns = [
  { name: texts.address },
  { name: `${texts.bytes}, ${texts.off}`, look: right },
  { name: texts.on, look: right },
  { name: `${texts.milliseconds}, ${texts.off}`, look: right },
  { name: `${texts.on} `, look: right },
];

/** Bytes and milliseconds of some addresses with a switch off and on. */
export const MeasuredTable = ({ label, rows }: { label: string; rows: readonly Measured[] }) => (
  <Table label={label} isWhole>
    <TableHeader columns={columns} />
    <TableBody>
      {rows.map(({ path, off, on }) => (
        <TableRow key={path}>
          <TableCell className="font-mono text-[0.8125rem]">{path}</TableCell>
          <TableCell className={right}>{formatCount(off.bytes)}</TableCell>
          <TableCell className={right}>{formatCount(on.bytes)}</TableCell>
          <TableCell className={right}>{formatMs(off.ms)}</TableCell>
          <TableCell className={right}>{formatMs(on.ms)}</TableCell>
        </TableRow>
      ))}
    </TableBody>
  </Table>
);
