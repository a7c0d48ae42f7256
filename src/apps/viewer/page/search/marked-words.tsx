/** No text needs more of its finds marked than this. */
const findsMax = 500

/** A text with the words that are searched for marked in it. */
export function MarkedWords({ text, words }: { readonly text: string; readonly words: string }) {
  const sought = words.toLowerCase()
  if (sought === '') return <>{text}</>
  const lower = text.toLowerCase()
  // A letter whose lower case is longer would shift every place behind it.
  if (lower.length !== text.length) return <>{text}</>
  const pieces = []
  let from = 0
  for (let at = lower.indexOf(sought); at >= 0 && pieces.length < findsMax * 2; at = lower.indexOf(sought, from)) {
    pieces.push(text.slice(from, at), <mark key={at}>{text.slice(at, at + sought.length)}</mark>)
    from = at + sought.length
  }
  return (
    <>
      {pieces}
      {text.slice(from)}
    </>
  )
}
