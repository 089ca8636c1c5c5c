/**
 * The block of 512 bytes that stands before a file or folder in a tar (POSIX ustar). A folder's name ends with a slash.
 * Throws for a name that is longer than 100 bytes, which none in a cluster is.
 */
export const tarHeader = (name: string, sizeBytes: number): Uint8Array => {
  if (Buffer.byteLength(name) > 100) throw new Error(`the name ${name} is too long for the archive`);
  const isFolder = name.endsWith("/");
  const block = Buffer.alloc(tarBlockBytes);
  block.write(name, 0);
  block.write(isFolder ? "0000700" : "0000600", 100);
  block.write("0000000", 108);
  block.write("0000000", 116);
  block.write(sizeBytes.toString(8).padStart(11, "0"), 124);
  block.write("00000000000", 136);
  // The sum is taken with blanks in its own place.
  block.write(" ".repeat(8), 148);
  block.write(isFolder ? "5" : "0", 156);
  block.write("ustar\x0000", 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return block;
};

/** Everything in a tar fills whole blocks. */
export const tarBlockBytes = 512;
