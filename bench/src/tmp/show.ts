import { needs, concepts } from './proto.ts';
for (const n of needs) { if(n.half!=='tuning') continue; const cs=await concepts(n.text); console.log(n.text,'→',cs.map(c=>c.text+'['+c.alts.slice(1).map(a=>a.run??a.words.join('_')).join(',').slice(0,100)+']').join(' ')); }
