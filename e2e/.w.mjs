import { chromium } from '@playwright/test';
const b=await chromium.launch({executablePath:'/usr/bin/chromium',args:['--no-sandbox']});
const p=await b.newPage({viewport:{width:1440,height:900}});
await p.goto(process.argv[2]);await p.evaluate(()=>document.querySelector("footer").scrollIntoView());await p.waitForTimeout(800);
console.log(await p.evaluate(()=>[...document.querySelectorAll('body *')].filter(e=>getComputedStyle(e).fontWeight==='700'&&[...e.childNodes].some(n=>n.nodeType===3&&n.textContent.trim())).map(e=>e.outerHTML.slice(0,100)+' < '+e.parentElement.outerHTML.slice(0,80)).slice(0,5)));
await b.close();
