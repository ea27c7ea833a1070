/** A line: its number, starting at 1, and its bytes without the line end. */
export type Line = { number: number; bytes: Buffer };

/** Splits bytes at line feeds only: texts in JSON can contain other line separators. */
export async function* readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Line, void, undefined> {
  let number = 0;
  let rest: Buffer[] = [];
  for await (const chunk of chunks) {
    let begin = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, begin)) {
      number += 1;
      yield { number, bytes: Buffer.concat([...rest, chunk.subarray(begin, end)]) };
      rest = [];
      begin = end + 1;
    }
    if (begin < chunk.length) rest.push(chunk.subarray(begin));
  }
  if (rest.length > 0) yield { number: number + 1, bytes: Buffer.concat(rest) };
}
