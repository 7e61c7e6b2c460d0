import { expect, test } from 'vitest'
import type { Patron } from '../types'
import { cardElement } from './cardElement'

const patron = (more: Partial<Patron>) =>
  ({ id: 'u', active: true, barcode: '21100001', personal: { lastName: 'Ito' }, ...more }) as Patron

test('a card has library, name, bars and their figures', async () => {
  const card = await cardElement(patron({}), 'City Library')
  expect([...card.querySelectorAll('p')].map((line) => line.textContent)).toEqual([
    'City Library',
    'Ito',
    '21100001',
  ])
  expect(card.querySelectorAll('rect').length).toBeGreaterThan(20)
})

test('a name is text, and who has no name is called by the user name', async () => {
  const hostile = '<img src=x onerror=alert(1)>'
  const card = await cardElement(patron({ personal: { lastName: hostile } }), '')
  expect(card.querySelector('img')).toBeNull()
  expect(card.textContent).toContain(hostile)
  const nameless = await cardElement(patron({ personal: undefined, username: 'ito' }), '')
  expect(nameless.querySelector('.slip-title')?.textContent).toBe('ito')
})
