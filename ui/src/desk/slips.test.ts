import { expect, test } from 'vitest'
import { filled, fromTemplate } from './slips'

const context = { item: { title: '<script>alert(1)</script>', barcode: '123' } }
const html = (template: string) => {
  const box = document.createElement('div')
  box.append(fromTemplate(template, context))
  return box.innerHTML
}

test('values are text, whatever they contain', () => {
  expect(html('<p>{{item.title}}</p>')).toBe('<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>')
})

test('a template brings no script, no style and no attribute', () => {
  expect(
    html('<p onclick="x()" style="color:red">a</p><script>b</script><img src=x onerror=y>'),
  ).toBe('<p>a</p>')
})

test('a barcode keeps its element for the image', () => {
  expect(html('<barcode>{{item.barcode}}</barcode>')).toBe('<barcode>123</barcode>')
})

test('what is not known is empty, and nothing of the prototype is read', () => {
  expect(filled('{{item.x}}|{{constructor.name}}|{{item}}', context)).toBe('||')
})
