// Prints elements alone: the page is left out while `data-printing` is set. One print for many slips.

export function printElements(elements: readonly HTMLElement[]) {
  if (!elements.length) return
  const place = document.createElement('div')
  place.id = 'print'
  place.append(...elements)
  document.body.append(place)
  const { dataset } = document.documentElement
  dataset.printing = ''
  const done = () => {
    delete dataset.printing
    place.remove()
  }
  window.addEventListener('afterprint', done, { once: true })
  window.print()
}
