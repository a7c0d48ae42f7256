import { options } from 'preact'
import { visibleText } from './visible-text.ts'

/** Applies `visibleText` to every text that the page renders, and to the attributes that are read or shown as text. */
export function showVisibleText(): void {
  const { vnode: next } = options
  options.vnode = vnode => {
    const props = vnode.props as Record<string, unknown>
    if (props.children !== undefined) props.children = visibleChildren(props.children)
    for (const name of textAttributes) {
      const { [name]: value } = props
      if (typeof value === 'string') props[name] = visibleText(value)
    }
    next?.(vnode)
  }
}

const textAttributes = ['title', 'aria-label', 'alt']

function visibleChildren(children: unknown): unknown {
  if (typeof children === 'string') return visibleText(children)
  return Array.isArray(children) ? children.map(visibleChildren) : children
}
