import { markup, trusted } from './markup.js';

describe('markup', () => {
  it('when text is put in, then it is escaped, in contents and in attributes', () => {
    const evil = `<script>"a" & 'b'</script>`;
    expect(markup`<b title="${evil}">${evil}</b>`.text).toBe(
      '<b title="&lt;script&gt;&quot;a&quot; &amp; &#39;b&#39;&lt;/script&gt;">&lt;script&gt;&quot;a&quot; &amp; &#39;b&#39;&lt;/script&gt;</b>',
    );
  });

  it('when markup is put in, then it stays, and lists follow one another', () => {
    expect(markup`<ul>${['a', 'b'].map((one) => markup`<li>${one}</li>`)}${null}${3}${trusted('<hr>')}</ul>`.text).toBe(
      '<ul><li>a</li><li>b</li>3<hr></ul>',
    );
  });

  it('when text has bytes that XML cannot write, then they are replaced and the rest is kept', () => {
    expect(markup`${'\u001b[31mred\u0000 \ud800 \ud83d\ude00\n'}`.text).toBe(
      '\ufffd[31mred\ufffd \ufffd \ud83d\ude00\n',
    );
  });
});
