import { type Gutter, gutterRoles, markerX } from './gutter.ts'

/** The vertical lines of the gutter, one per role. */
export function GutterLines({ gutter }: { readonly gutter: Gutter }) {
  return (
    <div class="gutter-lines" aria-hidden="true">
      {gutterRoles.map(role => (
        <i key={role} data-role={role} style={{ left: `${markerX(gutter, role)}px` }} />
      ))}
    </div>
  )
}
