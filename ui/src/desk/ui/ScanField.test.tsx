import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useRef, useState } from 'react'
import { IntlProvider } from 'react-intl'
import { afterEach, expect, test, vi } from 'vitest'
import { setValue } from '../capture'
import { ScanField } from './ScanField'

const onScan = vi.fn()
afterEach(() => {
  cleanup()
  onScan.mockClear()
})

let again: (label: string) => void
function Page() {
  const [label, setLabel] = useState('Barcode')
  again = setLabel
  return <ScanField field={useRef(null)} label={label} placeholder="" onScan={onScan} />
}

function shown(): HTMLInputElement {
  render(
    <IntlProvider locale="en" messages={{ 'desk.heardAnywhere': 'Heard', 'desk.enter': 'Enter' }}>
      <Page />
    </IntlProvider>,
  )
  return screen.getByRole('textbox')
}
const enter = (field: HTMLElement, more = {}) => fireEvent.keyDown(field, { key: 'Enter', ...more })

test('Enter takes what stands in the field, and empties it, each time', () => {
  const field = shown()
  for (const barcode of ['3410', '3410', ' 3411 ']) {
    fireEvent.input(field, { target: { value: barcode } })
    expect(enter(field)).toBe(false)
    expect(field.value).toBe('')
  }
  expect(onScan.mock.calls).toEqual([['3410'], ['3410'], ['3411']])
})

test('an empty field is no scan', () => {
  const field = shown()
  enter(field)
  fireEvent.input(field, { target: { value: '  ' } })
  enter(field)
  expect(onScan).not.toHaveBeenCalled()
})

test('figures that came without a word to React count, too; what was taken out does not', () => {
  const field = shown()
  field.value = '34'
  setValue(field, '3412')
  enter(field)
  field.value = '1'
  setValue(field, '')
  enter(field)
  expect(onScan.mock.calls).toEqual([['3412']])
})

test('half a barcode stays when the field is drawn anew', () => {
  const field = shown()
  fireEvent.input(field, { target: { value: '341' } })
  act(() => again('Barcode of the item'))
  expect(screen.getByRole('textbox', { name: 'Barcode of the item' })).toBe(field)
  expect(field.value).toBe('341')
})

test('an Enter that ends a composition is none', () => {
  const field = shown()
  fireEvent.input(field, { target: { value: 'ㅁ' } })
  enter(field, { isComposing: true })
  expect(onScan).not.toHaveBeenCalled()
})

test('the button takes it as Enter does', () => {
  const field = shown()
  fireEvent.input(field, { target: { value: '3413' } })
  fireEvent.submit(field.form as HTMLFormElement)
  expect(onScan.mock.calls).toEqual([['3413']])
})
