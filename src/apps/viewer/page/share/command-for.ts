import { shellWord } from '../../../../core/shell-word.ts'

/** The command that repairs the same history in the same way. */
export function commandFor(name: string, dialect: string | undefined, model: string | undefined): string {
  const file = /^[\w./][\w./-]*\.jsonl?$/.test(name) ? name : 'chat.json'
  const flags = [
    ...(dialect === undefined ? [] : [`--for ${dialect}`]),
    ...(model === undefined ? [] : [`--model ${shellWord(model)}`]),
  ]
  return ['antiphon heal', file, ...flags, '> healed.json'].join(' ')
}
