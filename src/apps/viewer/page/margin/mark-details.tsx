import type { Mark } from '../../desk.ts'

const classWords = {
  lossless: 'nothing is lost',
  synthetic: 'adds words nobody said',
  lossy: 'drops words',
  elevating: 'puts words of a tool in another role',
} as const

/** Why a diagnostic matters, how the provider refuses it, and what mends it. */
export function MarkDetails({ mark }: { readonly mark: Mark }) {
  return (
    <dl class="mark-details">
      <dt>Why</dt>
      <dd>{mark.why}</dd>
      {mark.refusal && (
        <>
          <dt>Refused as</dt>
          <dd>
            <q class="refusal">{mark.refusal}</q>
          </dd>
        </>
      )}
      <dt>{mark.class ? 'Fix' : 'Remains'}</dt>
      <dd>
        {mark.class ? mark.help.replace(` (${mark.class})`, '') : mark.help}
        {mark.class && (
          <span class="fix-class">
            {mark.class}: {classWords[mark.class]}
          </span>
        )}
      </dd>
      <dt>At</dt>
      <dd>
        <code>{mark.at}</code>
      </dd>
    </dl>
  )
}
