import { readFileSync } from 'node:fs';
import { analyze } from '/work/wt/search/apps/api/src/search/analyze.ts';
import { fold } from '/work/wt/search/packages/contracts/src/search-text.ts';
import { readQuery, listTerms } from '/work/wt/search/apps/api/src/search/read-query.ts';
import { addForms } from '/work/wt/search/apps/api/src/search/add-forms.ts';
import { cutRun } from '/work/wt/search/apps/api/src/search/cut-run.ts';
import { findTranslations } from '/work/wt/search/apps/api/src/search/translations.ts';
import { findCorrections, mayBeMisspelled } from '/work/wt/search/apps/api/src/search/find-corrections.ts';
import { Vocabulary } from '/work/wt/search/apps/api/src/search/vocabulary.ts';
import { toTokens, toWord } from '/work/wt/search/apps/api/src/search/agent-tokens.ts';
import { defaultCategories } from '@agent-registry/contracts';
const es = readFileSync('/work/shared/data/real-agents.ndjson','utf8').trim().split('\n').map(l=>JSON.parse(l));
const needs = readFileSync('/work/wt/search/bench/needs/needs.tsv','utf8').trim().split('\n').slice(1).map(l=>{const [half,lang,text]=l.split('\t');return {half,lang,text,g:new Map()}});
for (const l of readFileSync('/work/wt/search/bench/needs/judgments.tsv','utf8').trim().split('\n').slice(1)) { const [n,g,name,w=''] = l.split('\t'); needs[n-1].g.set(name+'\t'+w,Number(g)); }
const v = new Vocabulary();
for (const e of es) v.add(toTokens({...e, exampleTasks:[], websiteCheckedAt:null}, defaultCategories).terms.map(toWord));
const CJK = /\p{sc=Han}|\p{sc=Hira}|\p{sc=Kana}|\p{sc=Hang}|ー/u;
// docs
const words = t => fold(t).match(/[\p{L}\p{N}\p{M}+#]+/gu) ?? [];
const docs = es.map((e,i)=>{
  const name=analyze(e.name); 
  const nameWords=name.flatMap(c=>[...c.terms.flatMap(t=>[t.text,...t.subwords]),...(c.joined?[c.joined]:[])]);
  const fields={name:nameWords, caps:e.capabilities.flatMap(words), text:words(e.description)};
  const joined={name:fold(e.name),caps:fold(e.capabilities.join(' | ')),text:fold(e.description)};
  const idx={}; for(const f in fields){const m=new Map(); fields[f].forEach((w,at)=>{const l=m.get(w); if(l) l.push(at); else m.set(w,[at]);}); idx[f]=m;}
  return {i,e,fields,idx,joined,len:{name:name.length,caps:e.capabilities.length,text:Math.max(1,fields.text.length + Math.floor([...joined.text].filter(c=>CJK.test(c)).length/2))}};
});
const avg={name:2.5,caps:3,text:18};
export const P={wn:2.2,wc:1.6,wt:1,k1:1.0,bn:0.3,bt:0.35,stem:0.9,family:0.7,syn:0.7,tr:0.8,infix:0.3,prefix:0.7,corr:0.6,cover:0.5,near:0.15,capPow:0.5,phr:1,...JSON.parse(process.env.P??'{}')};
// count phrase occurrences of alternative in field
function tf(doc,f,alt){
  if (alt.run) { let n=0, s=doc.joined[f]; for(let at=s.indexOf(alt.run);at>=0;at=s.indexOf(alt.run,at+alt.run.length)) n++; return n; }
  const [w,...rest]=alt.words; const l=doc.idx[f].get(w); 
  if(!l) { if(alt.isPrefix){ let n=0; for(const [x,p] of doc.idx[f]) if(x.startsWith(w)) n+=p.length*P.prefix; return n;} return 0; }
  if(rest.length===0){ return l.length; }
  // phrase: near within 3 words
  let n=0; for(const at of l){ if(rest.every(r=>(doc.idx[f].get(r)??[]).some(p=>Math.abs(p-at)<=rest.length+1))) n++; } 
  return n;
}
export async function concepts(text){
  const q=readQuery(text,{vocabulary:v}); if(!q) return [];
  const wq=await addForms(q,v);
  const out=[];
  for(const ch of wq.chunks){
    const all=[];
    for(const t of ch.terms){ 
      const pieces=t.isRun?cutRun(t):[t];
      for(const p of pieces){
        const alts=[];
        if(p.isRun){ alts.push({run:p.text,w:1}); for(const s of p.forms.stem) alts.push({run:s,w:1});
          const tr=[p.text,...p.forms.stem].flatMap(findTranslations); for(const ph of tr) alts.push({words:ph,w:P.tr});
        } else {
          alts.push({words:[p.text],w:1,isPrefix:t.isLast&&p.text.length>=3});
          if(p.subwords.length) alts.push({words:p.subwords,w:1});
          for(const s of p.forms.stem) alts.push({words:[s],w:P.stem});
          for(const s of p.forms.family) alts.push({words:[s],w:P.family});
          for(const ph of p.forms.synonym) alts.push({words:ph,w:P.syn});
          for(const s of p.forms.infix.slice(0,16)) alts.push({words:[s],w:P.infix});
          if(mayBeMisspelled(p,v)) for(const c of findCorrections(p.text,v).slice(0,3)) alts.push({words:[c.word],w:P.corr/c.edits});
        }
        all.push({text:p.text,alts});
      }
    }
    if(ch.joined) { const last=all.at(-1); /* join as alternative of each */ for(const a of all) a.alts.push({words:[ch.joined.text],w:1}); }
    out.push(...all);
  }
  return out;
}
export function rank(cs){
  const N=docs.length;
  const hits=cs.map(c=>{
    const m=new Map(); 
    for(const d of docs){
      let s=0; const fl={};
      for(const f of ['name','caps','text']){
        let best=0; for(const a of c.alts){ const n=tf(d,f,a); if(n) best=Math.max(best,a.w*Math.min(2,1+Math.log2(n))); }
        fl[f]=best;
      }
      const wt=P.wn*fl.name/(1-P.bn+P.bn*d.len.name/avg.name)+ P.wc/Math.max(1,d.len.caps)**P.capPow*fl.caps + P.wt*fl.text/(1-P.bt+P.bt*d.len.text/avg.text);
      if(wt>0) m.set(d.i,wt);
    }
    return {m,idf:Math.log(1+(N-m.size+0.5)/(m.size+0.5))};
  });
  const total=hits.reduce((s,h)=>s+h.idf,0)||1;
  const scores=new Map();
  for(const h of hits) for(const [i,wt] of h.m){ const o=scores.get(i)??{s:0,c:0}; o.s+=h.idf*wt*(P.k1+1)/(P.k1+wt); o.c+=h.idf/total; scores.set(i,o); }
  return [...scores].map(([i,o])=>({i,s:o.s*(1-P.cover+P.cover*o.c)})).sort((a,b)=>b.s-a.s||a.i-b.i);
}
export function ndcg(list,g){
  const sum=l=>l.slice(0,10).reduce((t,x,at)=>t+(2**x-1)/Math.log2(at+2),0);
  return sum(list.map(i=>g.get(es[i].name.trim()+'\t'+(es[i].website??''))??0))/sum([...g.values()].sort((a,b)=>b-a));
}
const cache=new Map();
export async function evalAll(half='tuning'){
  let t=[],en=[],un=0; const each=[];
  for(const n of needs){ if(n.half!==half) continue;
    if(!cache.has(n.text)) cache.set(n.text,await concepts(n.text));
    const r=rank(cache.get(n.text)).slice(0,10).map(x=>x.i); const x=ndcg(r,n.g);
    for(const i of r) if(!n.g.has(es[i].name.trim()+'\t'+(es[i].website??''))) un++;
    t.push(x); if(n.lang==='en') en.push(x); each.push([x,n.text,r]);
  }
  const m=a=>(100*a.reduce((s,x)=>s+x,0)/a.length).toFixed(1);
  return {all:m(t),en:m(en),unjudged:un,each};
}
export {needs,es,docs,v};
if (process.argv[2]==='run'){ const r=await evalAll(process.argv[3]??'tuning'); console.log(r.all,r.en,r.unjudged); if(process.env.EACH) for(const [x,t,l] of r.each) console.log((100*x).toFixed(0).padStart(4),t,'|',l.slice(0,6).map(i=>es[i].name.slice(0,18)).join('; ')); }
