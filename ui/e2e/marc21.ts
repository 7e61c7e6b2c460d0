// MARC records as a file has them.

/** A MARC record; without a title it is refused. Further fields are `['035', '  $a(X)1$z2']`, in the order of their tags. */
export function marc(
  number: number,
  title?: string,
  more: readonly (readonly [string, string])[] = [],
): string {
  const all: (readonly [string, string])[] = [
    ['001', `x${number}`],
    ['008', '260101s2026    xx            000 0 eng d'],
    ...(title ? [['245', `10\u001fa${title}`] as const] : []),
    ...more.map(([tag, text]) => [tag, text.replaceAll('$', '\u001f')] as const),
  ]
  const fields = all
    .toSorted(([one], [other]) => Number(one) - Number(other))
    .map(([tag, text]) => [tag, `${text}\u001e`] as const)
  let at = 0
  const directory = fields.map(([tag, text]) => {
    const entry = `${tag}${String(text.length).padStart(4, '0')}${String(at).padStart(5, '0')}`
    at += text.length
    return entry
  })
  const base = 24 + directory.length * 12 + 1
  const leader = `${String(base + at + 1).padStart(5, '0')}nam a22${String(base).padStart(5, '0')} a 4500`
  return `${leader}${directory.join('')}\u001e${fields.map(([, text]) => text).join('')}\u001d`
}
