import type { PartLabel } from '../../document-service.ts'

/** How many chips fit on the line of a folded row. */
const chipsMax = 6

const signs: Readonly<Record<PartLabel['kind'], string>> = {
  text: '',
  call: '→',
  result: '←',
  reasoning: '…',
  image: '▣',
  other: '·',
}

/** The calls and results of a message, and its other parts except text. */
export function Chips({ pieces }: { readonly pieces: readonly PartLabel[] }) {
  const shown = pieces.filter(({ kind }) => kind !== 'text')
  return (
    <>
      {Array.from(shown.slice(0, chipsMax).entries(), ([place, piece]) => (
        <Chip key={place} piece={piece} />
      ))}
      {shown.length > chipsMax && <span class="chip more">and {shown.length - chipsMax} more</span>}
    </>
  )
}

function Chip({ piece: { kind, label, id, error, denied, placeholder } }: { readonly piece: PartLabel }) {
  return (
    <span class={`chip ${kind}`}>
      <span aria-hidden="true">{signs[kind]} </span>
      {(kind === 'call' || kind === 'result') && <span class="sr-only">{kind} </span>}
      {label || kind}
      {id && <span class="chip-id"> {id}</span>}
      {error && <span class="chip-sign error"> error</span>}
      {denied && <span class="chip-sign error"> denied</span>}
      {placeholder && <span class="chip-sign placeholder"> placeholder</span>}
    </span>
  )
}
