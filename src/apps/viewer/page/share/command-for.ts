/** The command that repairs the same history in the same way. */
export function commandFor(name: string, dialect: string | undefined, model: string | undefined): string {
  const file = /^[\w./][\w./-]*\.jsonl?$/.test(name) ? name : 'chat.json'
  const flags = [
    ...(dialect === undefined ? [] : [`--for ${dialect}`]),
    ...(model === undefined ? [] : [`--model ${quoted(model)}`]),
  ]
  return ['antiphon heal', file, ...flags, '> healed.json'].join(' ')
}

/** A model name is typed by hand, or comes with a link: a shell must take it as one word. */
const quoted = (text: string): string =>
  /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll(/\p{Cc}/gu, ' ').replaceAll("'", `'\\''`)}'`
