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
      <ChipName name={label || kind} />
      {id && <span class="chip-id"> {id}</span>}
      {error && <span class="chip-sign error"> error</span>}
      {denied && <span class="chip-sign error"> denied</span>}
      {placeholder && <span class="chip-sign placeholder"> placeholder</span>}
    </span>
  )
}

/** A long name is shortened in its middle, if it does not fit: names of tools often begin alike. */
function ChipName({ name }: { readonly name: string }) {
  if (name.length <= shortMax) return <span class="chip-name">{name}</span>
  return (
    <>
      <span class="sr-only">{name}</span>
      <span class="chip-name" aria-hidden="true">
        {name.slice(0, -tailLength)}
      </span>
      <span class="chip-tail" aria-hidden="true">
        {name.slice(-tailLength)}
      </span>
    </>
  )
}

const shortMax = 14
const tailLength = 4
