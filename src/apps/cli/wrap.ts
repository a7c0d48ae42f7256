/** A text in lines of at most `width`, all of them indented. A longer word stays whole. */
export function wrap(text: string, indent: number, width = 98): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && indent + line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line].map(one => ' '.repeat(indent) + one)
}
